"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('classes', '0001_classes')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('tournaments', '0001_tables'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Classroom',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('teacher', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='classes_taught', to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(max_length=60)),
                ('join_key', models.CharField(max_length=32, unique=True)),
                ('name_held', models.BooleanField(default=False)),
                ('takes_members', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'class',
                'verbose_name_plural': 'classes',
                'ordering': ('-created_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='classes.classroom')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('user__username',),
                'constraints': [models.UniqueConstraint(fields=('classroom', 'user'), name='membership_once')],
            },
        ),
        migrations.CreateModel(
            name='ClassEvent',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='class_event', serialize=False, to='tournaments.tournament')),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='classes.classroom')),
            ],
        ),
        migrations.CreateModel(
            name='KeyTry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name_plural': 'key tries',
                'ordering': ('-at',),
                'indexes': [models.Index(fields=['user', 'at'], name='key_try_user')],
            },
        ),
    ])
