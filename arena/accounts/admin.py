"""People in the admin."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from arena.accounts.models import User

admin.site.register(User, UserAdmin)
