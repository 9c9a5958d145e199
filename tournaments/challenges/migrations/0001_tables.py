"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('challenges', '0001_initial')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('bots', '0001_tables'),
        ('tournaments', '0001_tables'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges_asked', to=settings.AUTH_USER_MODEL)),
                ('asked', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='challenges_received', to=settings.AUTH_USER_MODEL)),
                ('mine', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='bots.version')),
                ('theirs', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='bots.version')),
                ('variant', models.CharField(max_length=32)),
                ('pairs', models.PositiveIntegerField()),
                ('bank_ms', models.PositiveIntegerField()),
                ('increment_ms', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('expired', 'Expired')], default='open', max_length=10)),
                ('automatic', models.BooleanField(default=False)),
                ('tournament', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='challenge', to='tournaments.tournament')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ('-created_at', '-id'),
                'indexes': [models.Index(fields=['asker', '-created_at'], name='challenge_asker'), models.Index(fields=['asked', '-created_at'], name='challenge_asked'), models.Index(condition=models.Q(('status', 'open')), fields=['expires_at'], name='challenge_expires')],
            },
        ),
        migrations.CreateModel(
            name='Terms',
            fields=[
                ('bot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='terms', serialize=False, to='bots.bot')),
                ('takes', models.CharField(choices=[('asked', 'Ask me each time'), ('automatic', 'Accept them, up to a number a day'), ('none', 'Take none')], default='asked', max_length=10)),
                ('per_day', models.PositiveSmallIntegerField(default=5)),
            ],
            options={
                'verbose_name_plural': 'terms',
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('blocked__username',),
                'constraints': [models.UniqueConstraint(fields=('owner', 'blocked'), name='block_once')],
            },
        ),
    ])
