"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('series', '0001_series'), ('series', '0002_plainer_words')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
        ('bots', '0001_tables'),
        ('tournaments', '0001_tables'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='EventSeries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('description', models.TextField(blank=True, max_length=2000)),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='event_series', to=settings.AUTH_USER_MODEL)),
                ('name_held', models.BooleanField(default=False)),
                ('description_held', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'series',
                'verbose_name_plural': 'series',
                'ordering': ('-created_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='series.eventseries')),
                ('number', models.PositiveIntegerField()),
                ('scheme', models.CharField(choices=[('grand-prix', 'Grand Prix: 12, 10, 8, 7, 6, 5, 4, 3, 2, 1'), ('share', 'Percentage of the points a bot could have won'), ('listed', 'My own list')], default='grand-prix', max_length=12)),
                ('listed', models.JSONField(blank=True, default=list)),
                ('best', models.PositiveSmallIntegerField(default=0)),
                ('planned', models.PositiveSmallIntegerField(default=0)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('closed_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ('series', '-number'),
                'constraints': [models.UniqueConstraint(fields=('series', 'number'), name='season_number_once'), models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('series',), name='season_open_once')],
            },
        ),
        migrations.CreateModel(
            name='SeasonEvent',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='season_event', serialize=False, to='tournaments.tournament')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='series.season')),
                ('number', models.PositiveSmallIntegerField()),
            ],
            options={
                'ordering': ('season', 'number', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='FinalPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='series.season')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='season_places', to='bots.bot')),
                ('place', models.PositiveIntegerField()),
                ('points', models.FloatField()),
                ('scores', models.JSONField()),
            ],
            options={
                'ordering': ('season', 'place', 'pk'),
                'constraints': [models.UniqueConstraint(fields=('season', 'bot'), name='final_place_once')],
            },
        ),
        migrations.CreateModel(
            name='LadderSeason',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ladder_seasons', to='tournaments.tournament')),
                ('number', models.PositiveIntegerField()),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('ladder', '-number'),
                'constraints': [models.UniqueConstraint(fields=('ladder', 'number'), name='ladder_season_once')],
            },
        ),
        migrations.CreateModel(
            name='LadderPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='series.ladderseason')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ladder_places', to='bots.version')),
                ('place', models.PositiveIntegerField()),
                ('elo', models.FloatField()),
                ('error', models.FloatField()),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('games', models.PositiveIntegerField()),
            ],
            options={
                'ordering': ('season', 'place'),
                'constraints': [models.UniqueConstraint(fields=('season', 'version'), name='ladder_place_once')],
            },
        ),
        migrations.CreateModel(
            name='SeriesDeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deeds', to='series.eventseries')),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('what', models.CharField(choices=[('founded', 'created the series'), ('texts', 'changed the name or the description'), ('rule', 'changed the rule'), ('added', 'added an event'), ('removed', 'removed an event'), ('moved', 'changed the order of the events'), ('closed', 'closed the season'), ('opened', 'started a season')], max_length=10)),
                ('tournament', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.tournament')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('-at', '-pk'),
                'indexes': [models.Index(fields=['series', '-at'], name='series_deed_newest')],
            },
        ),
    ])
