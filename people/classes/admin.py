"""Classes in the administration: looked at, never changed. The join key is nobody else's."""

from django.contrib import admin

from arena.web.admin import ReadOnly
from people.classes.models import Assignment, ClassEvent, Classroom, Membership


@admin.register(Classroom)
class ClassroomAdmin(ReadOnly, admin.ModelAdmin[Classroom]):
    """Who teaches which class."""

    list_display = ("name", "teacher", "takes_members", "created_at")
    list_select_related = ("teacher",)
    search_fields = ("name", "teacher__username")
    exclude = ("join_key",)


@admin.register(Membership)
class MembershipAdmin(ReadOnly, admin.ModelAdmin[Membership]):
    """Who is in which class."""

    list_display = ("user", "classroom", "joined_at")
    list_select_related = ("user", "classroom")
    search_fields = ("user__username", "classroom__name")


@admin.register(ClassEvent)
class ClassEventAdmin(ReadOnly, admin.ModelAdmin[ClassEvent]):
    """Which events are for which class."""

    list_display = ("tournament", "classroom")
    list_select_related = ("tournament", "classroom")


@admin.register(Assignment)
class AssignmentAdmin(ReadOnly, admin.ModelAdmin[Assignment]):
    """What classes are to do."""

    list_display = ("classroom", "kind", "variant", "count", "due_at")
    list_select_related = ("classroom",)
