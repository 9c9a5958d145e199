"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import arena.notices.models
from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('notices', '0001_notices'), ('notices', '0002_challenges'), ('notices', '0003_feeds'), ('notices', '0004_site_notices'), ('notices', '0005_addresses'), ('notices', '0006_moderated'), ('notices', '0007_together'), ('notices', '0008_followers'), ('notices', '0009_plainer_words')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                ('kind', models.CharField(choices=[('checked', 'A check of your bot is finished'), ('benched', 'Your bot is benched'), ('beaten', 'Your bot lost first place on a ladder'), ('started', 'A tournament your bot is in has started'), ('over', 'A tournament or season your bot is in is over'), ('decided', 'Your test is decided'), ('challenged', 'Somebody challenges your bot'), ('answered', 'Your challenge is answered'), ('released', 'A bot you follow has a new version'), ('entered', 'A tournament with a bot you follow has started'), ('placed', 'A bot you follow won a tournament or came second or third'), ('together', 'Somebody invites you to collaborate, or replies to your invitation'), ('address', 'Your account needs a confirmed e-mail address'), ('moderated', 'Moderators decided about something of yours, or your report'), ('webhook', 'Your webhook was switched off')], max_length=12)),
                ('key', models.CharField(max_length=120)),
                ('text', models.CharField(max_length=300)),
                ('url', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('sent_on', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('-at', '-id'),
                'indexes': [models.Index(fields=['user', '-at'], name='notice_newest'), models.Index(condition=models.Q(('read_at', None)), fields=['user'], name='notice_unread'), models.Index(condition=models.Q(('sent_on', None)), fields=['at'], name='notice_unsent')],
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='notice_once')],
            },
        ),
        migrations.CreateModel(
            name='Wishes',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='wishes', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('by_mail', models.JSONField(default=arena.notices.models.every_kind)),
                ('secret', models.CharField(default=arena.notices.models.new_secret, max_length=64, unique=True)),
                ('feed_secret', models.CharField(max_length=64, null=True, unique=True)),
            ],
            options={
                'verbose_name_plural': 'wishes',
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
                ('url', models.CharField(max_length=500)),
                ('secret', models.CharField(default=arena.notices.models.new_secret, max_length=64)),
                ('kinds', models.JSONField(default=arena.notices.models.every_kind)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('last_error', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('disabled_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('created_at',),
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='notices.notice')),
                ('webhook', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='notices.webhook')),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('given-up', 'Given up')], default='waiting', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField()),
                ('error', models.CharField(blank=True, max_length=200)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'indexes': [models.Index(condition=models.Q(('status', 'waiting')), fields=['not_before'], name='delivery_waiting')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('webhook', None)), fields=('notice',), name='delivery_mail_once'), models.UniqueConstraint(fields=('notice', 'webhook'), name='delivery_webhook_once')],
            },
        ),
        migrations.CreateModel(
            name='SiteNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('link', models.CharField(blank=True, max_length=200)),
                ('severity', models.CharField(choices=[('notice', 'Notice'), ('warning', 'Warning')], default='notice', max_length=8)),
                ('audience', models.CharField(choices=[('everybody', 'Everybody'), ('signed-in', 'Whoever is signed in')], default='everybody', max_length=10)),
                ('language', models.CharField(choices=[('en', 'English'), ('fr', 'Français'), ('it', 'Italiano'), ('pt-BR', 'Português')], default='en', max_length=5)),
                ('begins', models.DateTimeField(default=django.utils.timezone.now)),
                ('ends', models.DateTimeField()),
                ('changed_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ('-begins', '-id'),
                'indexes': [models.Index(fields=['ends'], name='site_notice_ends')],
            },
        ),
        migrations.CreateModel(
            name='Dismissal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='notices.sitenotice')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'notice'), name='dismissal_once')],
            },
        ),
    ])
