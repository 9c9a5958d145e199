"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('puzzles', '0001_initial')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('tournaments', '0001_tables'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Puzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating', models.FloatField(default=1500.0)),
                ('deviation', models.FloatField(default=350.0)),
                ('volatility', models.FloatField(default=0.06)),
                ('key', models.CharField(max_length=64, unique=True)),
                ('variant', models.CharField(max_length=32)),
                ('seat', models.PositiveSmallIntegerField()),
                ('position', models.CharField(max_length=1200)),
                ('played', models.JSONField()),
                ('solution', models.JSONField()),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='puzzles', to='tournaments.game')),
                ('ply', models.PositiveIntegerField()),
                ('day', models.DateField(blank=True, null=True, unique=True)),
                ('tried', models.PositiveIntegerField(default=0)),
                ('solved', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('pk',),
                'indexes': [models.Index(fields=['rating'], name='puzzle_rating')],
            },
        ),
        migrations.CreateModel(
            name='Solver',
            fields=[
                ('rating', models.FloatField(default=1500.0)),
                ('deviation', models.FloatField(default=350.0)),
                ('volatility', models.FloatField(default=0.06)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='solver', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('tried', models.PositiveIntegerField(default=0)),
                ('solved', models.PositiveIntegerField(default=0)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='puzzles.puzzle')),
                ('solver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='puzzles.solver')),
                ('moves', models.JSONField()),
                ('solved', models.BooleanField()),
                ('rating_before', models.FloatField()),
                ('rating_after', models.FloatField()),
                ('at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('-at', '-pk'),
                'constraints': [models.UniqueConstraint(fields=('puzzle', 'solver'), name='puzzle_attempt_once')],
            },
        ),
        migrations.CreateModel(
            name='Reading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('finished_at', models.DateTimeField()),
                ('game', models.UUIDField()),
            ],
        ),
    ])
