"""The tables of release 1.0. A database made before it has them by the migrations that this replaces."""

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import bots.models.bot
from arena.web.database.create_models import models_at_once


class Migration(migrations.Migration):

    replaces = [('bots', '0001_initial'), ('bots', '0002_check_pauses'), ('bots', '0003_plays_ticks'), ('bots', '0004_looks_and_upload_attempts'), ('bots', '0005_plain_labels'), ('bots', '0006_trials_and_the_bench'), ('bots', '0007_plain_help'), ('bots', '0008_token_scopes'), ('bots', '0009_release_notes'), ('bots', '0010_python_onnx'), ('bots', '0011_co_owners'), ('bots', '0012_owners_uploaded'), ('bots', '0013_followers'), ('bots', '0014_plainer_words'), ('bots', '0015_wasm')]

    initial = True

    dependencies = [
        ('accounts', '__first__'),
    ]

    operations = models_at_once([
        migrations.CreateModel(
            name='Archive',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('data', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='News',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('released', 'Released'), ('started', 'Started'), ('over', 'Over')], max_length=10)),
                ('key', models.BigIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('told_to', models.BigIntegerField(default=0)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'news',
                'ordering': ('pk',),
                'indexes': [models.Index(condition=models.Q(('done_at', None)), fields=['id'], name='news_untold')],
                'constraints': [models.UniqueConstraint(fields=('what', 'key'), name='news_once')],
            },
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bot_tokens', to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('hint', models.CharField(max_length=12)),
                ('scopes', models.JSONField(default=bots.models.bot.uploading)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('-created_at',),
            },
        ),
        migrations.CreateModel(
            name='UploadAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='upload_attempts', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
                ('inspecting_until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['owner', 'at'], name='bots_attempt_recent')],
            },
        ),
        migrations.CreateModel(
            name='CoOwner',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('answered_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('status', models.CharField(choices=[('invited', 'Invited'), ('accepted', 'Co-owner'), ('declined', 'Declined'), ('closed', 'Invitation closed'), ('left', 'Left')], default='invited', max_length=10)),
                ('joined_at', models.DateTimeField(null=True)),
                ('offered_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ('answered_at', 'pk'),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('look', models.CharField(editable=False, max_length=800, null=True, unique=True)),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bots', to=settings.AUTH_USER_MODEL)),
                ('description', models.TextField(blank=True, max_length=2000)),
                ('is_house', models.BooleanField(default=False)),
                ('open_to_all', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='SharedPast',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='bots.bot')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='bots.bot')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='bots_shared_past_once')],
            },
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='bots.bot')),
                ('number', models.PositiveIntegerField()),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('archive', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='bots.archive')),
                ('filename', models.CharField(max_length=120)),
                ('uploaded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('note', models.CharField(blank=True, help_text='For its owners alone.', max_length=200)),
                ('release_notes', models.CharField(blank=True, db_default='', default='', help_text='What changed, for everyone.', max_length=500)),
                ('language', models.CharField(choices=[('python', 'Python'), ('python-onnx', 'Python with ONNX'), ('javascript', 'JavaScript'), ('wasm', 'WebAssembly'), ('native', 'Linux executable'), ('remote', 'Remote')], max_length=12)),
                ('entry', models.CharField(max_length=200)),
                ('size', models.PositiveIntegerField(help_text='Total bytes of the unpacked files; of the file as it was sent until then.')),
                ('file_count', models.PositiveIntegerField()),
                ('activate_when_accepted', models.BooleanField(default=True)),
                ('status', models.CharField(choices=[('uploaded', 'waiting for its check'), ('checking', 'being checked'), ('accepted', 'accepted'), ('partly', 'partly accepted'), ('rejected', 'rejected')], db_index=True, default='uploaded', max_length=10)),
                ('check_started_at', models.DateTimeField(blank=True, null=True)),
                ('check_failures', models.PositiveSmallIntegerField(default=0, help_text='Checks that failed because of a problem on our side.')),
                ('check_not_before', models.DateTimeField(blank=True, null=True)),
                ('trial_asked_at', models.DateTimeField(blank=True, help_text='When another check of this accepted version was requested.', null=True)),
                ('benched_at', models.DateTimeField(blank=True, null=True)),
                ('benched_because', models.CharField(blank=True, max_length=300)),
                ('crashes_since', models.DateTimeField(blank=True, help_text='Crashes before this time no longer count towards the bench.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('bot', '-number'),
                'constraints': [models.UniqueConstraint(fields=('bot', 'number'), name='bots_version_number_unique')],
            },
        ),
        migrations.CreateModel(
            name='BotDeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='bots.version')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deeds', to='bots.bot')),
                ('what', models.CharField(choices=[('created', 'created the bot'), ('uploaded', 'uploaded a version'), ('activated', 'made a version the active one'), ('retired', 'deactivated a version'), ('rechecked', 'asked for a new check'), ('edited', 'changed the bot’s settings'), ('terms', 'changed how the bot takes challenges'), ('withdrew', 'withdrew the bot'), ('restored', 'restored the bot'), ('invited', 'invited a co-owner'), ('uninvited', 'took an invitation back'), ('joined', 'is now a co-owner'), ('declined', 'declined to be a co-owner'), ('left', 'is no longer a co-owner'), ('removed', 'removed a co-owner'), ('offered', 'offered the bot to a co-owner'), ('kept', 'took the offer of the bot back'), ('refused', 'declined to take the bot over'), ('took-over', 'took the bot over'), ('inherited', 'took the bot over from its owner, whose account is gone')], max_length=10)),
            ],
            options={
                'ordering': ('-at', '-pk'),
                'abstract': False,
                'indexes': [models.Index(fields=['bot', '-at'], name='bot_deed_newest'), models.Index(fields=['actor', 'what', 'at'], name='bot_deed_actor')],
            },
        ),
        migrations.CreateModel(
            name='CheckReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='check_report', to='bots.version')),
                ('accepted', models.BooleanField()),
                ('log', models.TextField(blank=True)),
                ('record', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to='bots.bot')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('bot__name',),
                'constraints': [models.UniqueConstraint(fields=('user', 'bot'), name='follow_once')],
            },
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='bots.version')),
                ('board', models.CharField(max_length=32)),
                ('verdict', models.CharField(choices=[('passed', 'passed'), ('failed', 'failed'), ('left-out', 'not played')], max_length=8)),
                ('log', models.TextField(blank=True)),
                ('record', models.JSONField(blank=True, null=True)),
                ('at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['board', 'verdict', 'version'], name='bots_trial_board')],
                'constraints': [models.UniqueConstraint(fields=('version', 'board'), name='bots_trial_once')],
            },
        ),
        migrations.AddField(
            model_name='CoOwner',
            name='bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='co_owners', to='bots.bot'),
        ),
        migrations.AddConstraint(
            model_name='CoOwner',
            constraint=models.UniqueConstraint(fields=('bot', 'user'), name='bots_co_owner_once'),
        ),
        migrations.AddConstraint(
            model_name='CoOwner',
            constraint=models.UniqueConstraint(condition=models.Q(('offered_at__isnull', False)), fields=('bot',), name='bots_one_offer'),
        ),
        migrations.AddField(
            model_name='Bot',
            name='active_version',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='bots.version'),
        ),
        migrations.AddConstraint(
            model_name='Bot',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('name'), name='bots_bot_name_unique'),
        ),
        migrations.AddConstraint(
            model_name='Bot',
            constraint=models.CheckConstraint(condition=models.Q(('is_house', False), ('owner', None), _connector='OR'), name='bots_bot_house_has_no_owner'),
        ),
    ])
