"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.functions.datetime
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('common', '0001_initial'), ('common', '0002_worker'), ('common', '0003_stamps'), ('common', '0004_worker_sandbox'), ('common', '0005_many_hosts'), ('common', '0006_limits'), ('common', '0007_incidents')]

    initial = True

    dependencies = [
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('name', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('beaten_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('name', models.CharField(max_length=150, primary_key=True, serialize=False)),
                ('host', models.CharField(max_length=100)),
                ('pid', models.PositiveIntegerField()),
                ('queues', models.JSONField(default=list)),
                ('games_at_once', models.PositiveIntegerField(default=0)),
                ('sandbox', models.JSONField(blank=True, default=dict)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('beaten_at', models.DateTimeField()),
            ],
            options={
                'ordering': ('started_at', 'name'),
            },
        ),
        migrations.CreateModel(
            name='Host',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('cores', models.PositiveIntegerField(default=1)),
                ('speed', models.FloatField(default=0.0)),
                ('release', models.CharField(blank=True, max_length=20)),
                ('rules', models.PositiveSmallIntegerField(default=0)),
                ('versions', models.JSONField(blank=True, default=dict)),
                ('clock_ms', models.IntegerField(default=0)),
                ('known_since', models.DateTimeField(auto_now_add=True)),
                ('announced_at', models.DateTimeField()),
                ('spell_from', models.DateTimeField()),
                ('looked_at_games', models.PositiveIntegerField(default=0)),
                ('set_aside_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'ordering': ('known_since', 'name'),
            },
        ),
        migrations.CreateModel(
            name='Limit',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('value', models.IntegerField()),
                ('changed_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='Stamp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(db_index=True, max_length=64)),
                ('number', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Incident',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('started', 'Started'), ('still', 'Stood still'), ('database', 'Database did not answer'), ('broker', 'Broker was away'), ('clock', 'Clock jumped')], max_length=16)),
                ('process', models.CharField(max_length=150)),
                ('detail', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
            ],
            options={
                'ordering': ('-at', '-pk'),
            },
        ),
    ])
