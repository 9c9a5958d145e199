"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('friendlies', '0001_initial'), ('friendlies', '0002_daily'), ('friendlies', '0003_people_rated'), ('friendlies', '0004_level')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('bots', '0001_tables'),
        ('tournaments', '0001_tables'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Daily',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('variant', models.CharField(max_length=32)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dailies', to='bots.version')),
                ('seed', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'dailies',
                'ordering': ('-day',),
            },
        ),
        migrations.CreateModel(
            name='Friendly',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='friendlies', to=settings.AUTH_USER_MODEL)),
                ('guest', models.CharField(blank=True, max_length=32)),
                ('address', models.CharField(blank=True, max_length=32)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='friendlies', to='bots.version')),
                ('level', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('pair', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='friendlies', to='tournaments.pair')),
                ('leg', models.PositiveSmallIntegerField(default=0)),
                ('daily', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='friendlies', to='friendlies.daily')),
                ('variant', models.CharField(max_length=32)),
                ('seat', models.PositiveSmallIntegerField()),
                ('start', models.CharField(max_length=1200)),
                ('rules', models.PositiveSmallIntegerField()),
                ('events', models.BinaryField(default=bytes)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('epoch', models.PositiveIntegerField(default=0)),
                ('awaits', models.CharField(choices=[('person', 'person'), ('window', 'window'), ('bot', 'bot'), ('poll', 'poll'), ('nobody', 'nobody')], max_length=8)),
                ('pending', models.JSONField(blank=True, default=list)),
                ('offer', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('clocks', models.JSONField(default=list)),
                ('bank_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('increment_ms', models.PositiveIntegerField(default=0)),
                ('tick_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('clock_from', models.DateTimeField(blank=True, null=True)),
                ('polls', models.BooleanField(blank=True, null=True)),
                ('bot_cpu_ms', models.PositiveIntegerField(default=0)),
                ('hints', models.PositiveIntegerField(default=0)),
                ('rated', models.BooleanField(default=False)),
                ('luck', models.FloatField(blank=True, null=True)),
                ('luck_version', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('weighed_at', models.DateTimeField(blank=True, null=True)),
                ('trouble', models.CharField(blank=True, max_length=300)),
                ('lease', models.CharField(blank=True, max_length=32)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('status', models.CharField(choices=[('running', 'Running'), ('finished', 'Finished')], default='running', max_length=12)),
                ('result', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('acted_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'friendlies',
                'db_table': 'tournaments_friendly',
                'ordering': ('-created_at',),
                'indexes': [models.Index(fields=['owner', '-created_at'], name='friendly_owner'), models.Index(fields=['guest', '-created_at'], name='friendly_guest'), models.Index(fields=['status', 'awaits', 'acted_at'], name='friendly_waiting'), models.Index(condition=models.Q(('rated', True)), fields=['owner', 'variant', 'finished_at'], name='friendly_rated')],
                'constraints': [models.UniqueConstraint(fields=('daily', 'owner'), name='friendly_daily_once'), models.UniqueConstraint(condition=models.Q(('rated', True), ('status', 'running')), fields=('owner',), name='friendly_rated_once'), models.CheckConstraint(condition=models.Q(('rated', False), ('level', None), _connector='OR'), name='friendly_rated_full')],
            },
        ),
        migrations.CreateModel(
            name='PersonRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='person_ratings', to=settings.AUTH_USER_MODEL)),
                ('variant', models.CharField(max_length=32)),
                ('elo', models.FloatField()),
                ('low', models.FloatField(blank=True, null=True)),
                ('high', models.FloatField(blank=True, null=True)),
                ('games', models.PositiveIntegerField()),
                ('wins', models.PositiveIntegerField()),
                ('draws', models.PositiveIntegerField()),
                ('losses', models.PositiveIntegerField()),
                ('lucky', models.PositiveIntegerField()),
                ('curve', models.JSONField(default=list)),
                ('met', models.JSONField(default=list)),
                ('latest', models.JSONField(default=list)),
                ('computed_at', models.DateTimeField()),
            ],
            options={
                'ordering': ('variant', '-low'),
                'indexes': [models.Index(fields=['variant', '-low'], name='person_rating_place')],
                'constraints': [models.UniqueConstraint(fields=('user', 'variant'), name='person_rating_once')],
            },
        ),
    ])
