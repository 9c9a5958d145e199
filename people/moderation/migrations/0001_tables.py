"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('moderation', '0001_reports_and_acts'), ('moderation', '0002_classes'), ('moderation', '0003_series')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='AbuseReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('subject', models.CharField(choices=[('bot', 'Bot'), ('account', 'Account'), ('tournament', 'Tournament'), ('announcement', 'Announcement'), ('class', 'Class'), ('series', 'Series')], max_length=12)),
                ('key', models.BigIntegerField()),
                ('reason', models.CharField(choices=[('offensive', 'It insults or threatens somebody'), ('hate', 'It is hateful or obscene'), ('private', 'It reveals private data'), ('imitation', 'It pretends to be somebody else'), ('spam', 'It is advertising or spam'), ('other', 'Something else')], max_length=10)),
                ('words', models.TextField(blank=True, max_length=1000)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('status', models.CharField(choices=[('open', 'Open'), ('upheld', 'Upheld'), ('dismissed', 'Dismissed')], default='open', max_length=10)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-at', '-id'),
                'indexes': [models.Index(fields=['subject', 'key'], name='report_thing'), models.Index(fields=['reporter', '-at'], name='report_reporter'), models.Index(condition=models.Q(('status', 'open')), fields=['at'], name='report_open')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('reporter', 'subject', 'key'), name='report_open_once')],
            },
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('hide', 'Hidden'), ('rename', 'Renamed'), ('ban', 'Account suspended')], max_length=8)),
                ('subject', models.CharField(choices=[('bot', 'Bot'), ('account', 'Account'), ('tournament', 'Tournament'), ('announcement', 'Announcement'), ('class', 'Class'), ('series', 'Series')], max_length=12)),
                ('key', models.BigIntegerField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reason', models.CharField(choices=[('offensive', 'It insults or threatens somebody'), ('hate', 'It is hateful or obscene'), ('private', 'It reveals private data'), ('imitation', 'It pretends to be somebody else'), ('spam', 'It is advertising or spam'), ('other', 'Something else')], max_length=10)),
                ('words', models.TextField(max_length=1000)),
                ('before', models.JSONField(default=dict)),
                ('put', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_because', models.CharField(blank=True, choices=[('lifted', 'Lifted by moderators'), ('appeal', 'Lifted after the appeal'), ('over', 'Over')], max_length=8)),
                ('appeal', models.TextField(blank=True, max_length=2000)),
                ('appealed_at', models.DateTimeField(blank=True, null=True)),
                ('answer', models.TextField(blank=True, max_length=1000)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-at', '-id'),
                'permissions': (('moderate', 'Can moderate'),),
                'indexes': [models.Index(fields=['subject', 'key'], name='act_thing'), models.Index(fields=['person', '-at'], name='act_person'), models.Index(condition=models.Q(('ended_at', None)), fields=['until'], name='act_until')],
            },
        ),
    ])
