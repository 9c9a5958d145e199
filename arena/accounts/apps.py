"""The accounts app, and the administration that it guards."""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class AccountsConfig(AppConfig):
    """People and their sign-up."""

    name = "arena.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Keep allauth from loading what only security keys need, which nobody can have here
        (`MFA_SUPPORTED_TYPES`): 10 MB in each process that serves pages."""
        _load_when_used("allauth.mfa.webauthn.internal.auth")


class OperatorsConfig(SimpleAdminConfig):
    """Django's administration, on a site that asks for a second factor. `arena.urls` looks for its parts."""

    default_site = "arena.accounts.admin_site.OperatorSite"


def _load_when_used(name: str) -> None:
    spec = find_spec(name)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    spec.loader = LazyLoader(spec.loader)
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    # To look for it among the loaded modules would use it.
    package, _, last = name.rpartition(".")
    setattr(sys.modules[package], last, module)
