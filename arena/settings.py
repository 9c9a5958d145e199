"""Django's settings, all read from the environment (README, "Configuration").

Three modes: ``embedded`` (the default: one process, SQLite, everything in memory, for
``./crapette up``), ``production`` (several processes on PostgreSQL and Redis; nothing secret or public
has a default) and ``test``.
"""

import contextlib
import ctypes
import os
import socket
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext

from arena import env
from arena.accounts import captcha_services
from arena.run import bus
from arena.web.storage import private_files

M_ARENA_MAX = -8  # of malloc.h

# Whatever program reads these settings: manage.py, uvicorn, celery, a worker.
sys.excepthook = env.say_in_a_sentence

# Lets Django's generic classes (ModelAdmin[Bot], ModelForm[Bot], …) be written with their types at run
# time.
django_stubs_ext.monkeypatch()

# The sums done here are small, and several threads may do some while others start processes. OpenBLAS stops
# its own threads at every fork, which leaves those at work waiting busily for minutes; so it gets none. It
# reads this when numpy is first imported, which comes later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# glibc gives up to sixteen threads a heap of their own, and what is freed in one serves no other. With two, a
# worker is smaller by 16 MB of 148 and the serving process by 5 of 111. Other libraries have no such call.
with contextlib.suppress(AttributeError):
    ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)

BASE_DIR = Path(__file__).resolve().parent.parent
MODE = env.choice("CRAPETTE_MODE", ("embedded", "production", "test"), "embedded")
PRODUCTION = MODE == "production"
DATA_DIR = env.make_folder(env.folder("CRAPETTE_DATA", BASE_DIR / "var"), "CRAPETTE_DATA")
private_files.close_folder(DATA_DIR, "CRAPETTE_DATA")

DEBUG = False if PRODUCTION else env.boolean("CRAPETTE_DEBUG", False)
ALLOWED_HOSTS = env.words("CRAPETTE_HOSTS", None if PRODUCTION else "localhost,127.0.0.1,[::1]")
SECRET_KEY = (
    env.secret("CRAPETTE_SECRET_KEY")
    if PRODUCTION
    else os.environ.get("CRAPETTE_SECRET_KEY") or env.kept_secret(DATA_DIR / private_files.SECRET_NAME)
)

INSTALLED_APPS = [
    "django.forms",
    "arena.accounts.apps.OperatorsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "arena.web.apps.CommonConfig",
    "arena.accounts.apps.AccountsConfig",
    "arena.notices.apps.NoticesConfig",
    "bots.apps.BotsConfig",
    "tournaments.apps.TournamentsConfig",
    "friendlies.apps.FriendliesConfig",
    "friendlies.puzzles.apps.PuzzlesConfig",
    "tournaments.challenges.apps.ChallengesConfig",
    "people.classes.apps.ClassesConfig",
    "tournaments.series.apps.SeriesConfig",
    "people.moderation.apps.ModerationConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "arena.web.i18n.readers.LanguageMiddleware",
    "arena.web.http.security_headers.PolicyMiddleware",
    "arena.web.http.requests.EdgeMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "arena.web.i18n.readers.AccountLanguageMiddleware",
    "arena.web.i18n.readers.TimeZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "arena.web.http.refusals.AnswersMiddleware",
    "arena.web.http.idempotency.RepeatedFormMiddleware",
]

# Remote bots: programs that play from their authors' machines. Off, none connects and no page names them.
REMOTE = env.boolean("CRAPETTE_REMOTE", True)

ROOT_URLCONF = "arena.urls"
PORT = "people.port.HousePort"
ASGI_APPLICATION = "arena.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "arena.web.cache.pages.token_or_mark",
                "arena.notices.banner.site_notices",
            ],
        },
    }
]

# Forms find their templates where pages do (templates/django/forms has one of ours).
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- data -----------------------------------------------------------------------------------------------
_database_url = env.text("DATABASE_URL", None if PRODUCTION else "")
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database(_database_url) if _database_url else env.sqlite(DATA_DIR / "arena.sqlite3")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    private_files.close_sqlite(
        Path(DATABASES["default"]["NAME"]), "DATABASE_URL" if _database_url else "CRAPETTE_DATA"
    )
# None is for ever. The tests count the connections that are open when they are done.
PAGES_KEEP_CONNECTIONS_SECONDS = 0 if MODE == "test" else None
# How old the list of site notices may be. The tests count what pages ask the database, however slow they are.
SITE_NOTICES_SECONDS = 3_600.0 if MODE == "test" else 5.0
# How old a whole page may be for a visitor without a session; twice as old while it is made anew. The tests
# look at pages right after a change.
SHARED_PAGES_SECONDS = 0.0 if MODE == "test" else 1.0
# Says what every shared page depends on besides its address, its language and the tables it was made of.
SHARED_PAGES_KEY = "arena.notices.banner.key"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TIME_ZONE = "UTC"
USE_TZ = True
FILE_UPLOAD_MAX_MEMORY_SIZE = 5 << 20
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 << 20

# --- languages ------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "locale"]
_languages = {
    "en": (LANGUAGE_CODE, "English"),
    "fr": ("fr", "Français"),
    "it": ("it", "Italiano"),
    "pt": ("pt-br", "Português"),
}
# By default those whose catalogues are complete (docs/develop/translating.md). English is always among them.
LANGUAGES = [_languages[one] for one in env.some("CRAPETTE_LANGUAGES", tuple(_languages), "en,fr,it,pt")]
LANGUAGE_COOKIE_NAME = "crapette_language"
LANGUAGE_COOKIE_AGE = 365 * 86400
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = PRODUCTION

# --- queue and live channels ----------------------------------------------------------------------------
_redis_url = env.text("REDIS_URL", None if PRODUCTION else "")
REDIS_URL = env.redis(_redis_url) if _redis_url else ""
CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "crapette"},
    }
    if REDIS_URL
    # A process beside the embedded site's has its news sent by the one that serves pages.
    else {
        "BACKEND": "arena.run.channel_layers.BusLayer"
        if bus.VARIABLE in os.environ
        else "arena.run.channel_layers.ThreadSafeInMemoryLayer"
    }
}

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "crapette",
        # Pages ask it: one that does not answer must not keep their threads.
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# How many games are played at once by a worker: one a core, each game has one bot thinking at a time.
GAMES_AT_ONCE = env.integer("CRAPETTE_GAMES_AT_ONCE", os.cpu_count() or 1, least=1, most=256)
# How many games between remote bots a worker process plays at once: they only wait for what others compute.
REMOTE_GAMES_AT_ONCE = env.integer("CRAPETTE_REMOTE_GAMES_AT_ONCE", 50, least=0, most=1000)
# Hosts are told apart by this name: both games of a pair are played on one, and one that is unfair is set
# aside.
HOST_NAME = env.text("CRAPETTE_HOST_NAME", socket.gethostname())[:100]
# A worker that is told to end lets its games end for this long, then gives them back.
DRAIN_SECONDS = env.integer("CRAPETTE_DRAIN_SECONDS", 60 if PRODUCTION else 0, most=86_400)
GAMES_QUEUE = "games"
# Bots that answer persons: apart, so that nobody at a table waits for a tournament.
FRIENDLY_QUEUE = "friendly"
# Uploads that are opened, tried and compared, which takes up to a minute each: apart, so that no number of
# them delays a sweep, a notice or a heartbeat.
CHECKS_QUEUE = "checks"
# Wakes the analysis processes, which do whatever takes thought.
ANALYSIS_QUEUE = "analysis"
HEARTBEAT_SECONDS = 10
# The level at which uploaded bots are contained: "confined" only by an operator's word, never as a
# fallback.
SANDBOX_LEVEL = env.choice("CRAPETTE_SANDBOX", ("full", "confined"), "full")
# Whether bots may ask for NumPy and ONNX Runtime, which take 90 MB of memory on each host.
OFFERS_ONNX = env.choice("CRAPETTE_ONNX", ("on", "off"), "on") == "on"

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
# A memory:// worker polls each queue; 30 ms cost 1 % of a core and are the longest delay of a task. On Redis
# the delivery of a task is repeated after the visibility timeout; claiming in the database makes that
# harmless, a long one makes it rare.
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "visibility_timeout": 6 * 3600,
        "socket_connect_timeout": 5,
        "socket_timeout": 30,
        "socket_keepalive": True,
    }
    if REDIS_URL
    else {"polling_interval": 0.03}
)
# A worker waits for its broker as long as it takes, and then is whole again at once.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_ENABLE_PREFETCH_COUNT_REDUCTION = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
# Whoever sends a message is not held up by a broker that is away: what was lost is asked for again.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1, "interval_max": 0.1}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
# Those that a heartbeat goes through. Among uploads it would wait for minutes, and those who check uploads
# serve the default queue as well.
QUEUES = (CELERY_TASK_DEFAULT_QUEUE, GAMES_QUEUE, FRIENDLY_QUEUE, ANALYSIS_QUEUE)
CELERY_TASK_ROUTES = {
    "tournaments.play*": {"queue": GAMES_QUEUE},
    "friendlies.answer": {"queue": FRIENDLY_QUEUE},
    "bots.check_*": {"queue": CHECKS_QUEUE},
    "tournaments.compare": {"queue": CHECKS_QUEUE},
    "tournaments.think": {"queue": ANALYSIS_QUEUE},
}
# Redis hands out what has the lowest number first, whatever waited longer: no backlog delays a heartbeat.
CELERY_TASK_DEFAULT_PRIORITY = 6
HEARTBEAT_PRIORITY = 0
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Nothing is asked of a worker by message; its life shows in the heartbeats it records.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TIMEZONE = "UTC"

# --- people ---------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_LOGIN_METHODS = {"username"}
# With a mail server, a new account confirms an address before it sends in anything
# (arena.accounts.confirmation). Without, an address is the user's own choice. Nothing else is sent to it
# until a link has confirmed it.
_mail_url = env.text("CRAPETTE_MAIL_URL", "")
CONFIRMS_ADDRESSES = bool(_mail_url)
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email*"] if CONFIRMS_ADDRESSES else []), "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional" if CONFIRMS_ADDRESSES else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = CONFIRMS_ADDRESSES
# Signing up tells nobody who has an account: one that was given another's address cannot confirm it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_MAX_EMAIL_ADDRESSES = 2
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Crapette Arena] "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
# Besides allauth's own. None counts on the side of whom it happens to (`SendResetLinkForm`), and one address
# may take a tenth of what all have together (`sign_ups_per_hour`). Attempts to sign in count if they fail.
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = {
    "login": "",
    "signup": "20/m/ip,100/h/ip",
    "reset_password": "20/m/ip",
}
ACCOUNT_USERNAME_BLACKLIST = ["admin", "house", "root", "arena", "staff"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "arena.accounts.names.VALIDATORS"
ACCOUNT_ADAPTER = "people.moderation.closed_accounts.ModeratedAccountAdapter"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_FORMS = {
    "login": "arena.accounts.forms.SignInForm",
    "signup": "arena.accounts.forms.SignUpForm",
    "change_password": "arena.accounts.forms.NewPasswordForm",
    "reset_password": "arena.accounts.forms.SendResetLinkForm",
}
# Whoever finds an open session may look, but not change how its owner signs in.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "arena.accounts.adapter.SecondFactorAdapter"
# Whoever gives an address that is not theirs gains nothing by a second factor.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
# Every whole address that the site writes begins so: what a request calls the site is the visitor's word.
# The embedded site says where it listens.
SITE_URL = env.site("CRAPETTE_URL", f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION else "http://127.0.0.1:8000")
# Without a mail server, mails are printed for the operator.
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _mail_url else 'console'}.EmailBackend"
globals().update(env.mail(_mail_url) if _mail_url else {})
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("CRAPETTE_MAIL_FROM", "Crapette Arena <arena@localhost>")
# Webhooks go to public addresses only, and to these networks.
WEBHOOK_NETWORKS = env.networks("CRAPETTE_WEBHOOK_NETWORKS")
# A service that tells people from programs, at sign-up and after wrong passwords (arena.accounts.captcha).
CAPTCHA = captcha_services.from_environment()
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- static files ---------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "arena" / "static"]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Records of old games: one folder that every process which shows or reads games can reach, or a bucket.
    "archives": env.archives("CRAPETTE_ARCHIVES", DATA_DIR / "archives"),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "arena.web.storage.static_files.Collected"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

# --- security -------------------------------------------------------------------------------------------
# In production pages are served over https only; CRAPETTE_TRUST_PROXY says that a proxy in front ends TLS
# and sets X-Forwarded-Proto itself. The embedded run is for one's own machine and speaks plain http.
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_SSL_HOST = urlsplit(SITE_URL).netloc
SECURE_REDIRECT_EXEMPT = [r"^(health|ready|metrics)$"]
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("CRAPETTE_TRUST_PROXY", False) else None
)
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if SECURE_PROXY_SSL_HEADER else 0
SECURE_HSTS_SECONDS = 365 * 86400 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "arena.web.http.refusals.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# Above what the browsers of a household or a classroom behind one address open; behind a trusted proxy the
# second is the proxy's to bound.
SOCKETS_PER_ADDRESS = env.integer("CRAPETTE_SOCKETS_PER_ADDRESS", 1024, least=1, most=1_000_000)
CONNECTIONS_PER_ADDRESS = env.integer("CRAPETTE_CONNECTIONS_PER_ADDRESS", 256, least=1, most=1_000_000)
# Several embedded sites on one machine differ by port only, which cookies do not heed.
SESSION_COOKIE_NAME = env.text("CRAPETTE_SESSION_COOKIE", "crapette_session")

# --- words to the operator ------------------------------------------------------------------------------
METRICS_TOKEN = env.text("CRAPETTE_METRICS_TOKEN", "")
SENTRY_DSN = env.sentry("CRAPETTE_SENTRY_DSN")
LOG_LEVEL = env.choice("CRAPETTE_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
LOG_FORMAT = env.choice("CRAPETTE_LOG_FORMAT", ("line", "json"), "line")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "arena.web.processes.logs.LineFormatter",
            "format": "{asctime} {levelname:<7} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "arena.web.processes.logs.Json"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        # Django's own handlers mail the admins or print only while developing: one console is enough.
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # A missing page or a form filled in wrongly is answered to whoever asked; no operator needs it.
        "django.request": {"level": "ERROR" if LOG_LEVEL in ("INFO", "WARNING") else LOG_LEVEL},
        # Whoever looks for open doors asks for hosts of all names and fields that nobody may see; they are
        # answered 400, and a traceback for each would fill the disk.
        "django.security": {"level": "CRITICAL" if LOG_LEVEL in ("INFO", "WARNING") else LOG_LEVEL},
        "celery": {"level": "WARNING" if LOG_LEVEL == "INFO" else LOG_LEVEL},
        "uvicorn": {"level": "WARNING" if LOG_LEVEL == "INFO" else LOG_LEVEL},
        "uvicorn.access": {"level": "WARNING"},
    },
}
