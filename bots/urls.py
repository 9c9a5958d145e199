"""Addresses below /bots/."""

from django.urls import path

from bots.pages import account, bots, co_owners, feeds, versions

app_name = "bots"
urlpatterns = [
    path("", bots.bot_list, name="list"),
    path("feed.atom", feeds.VersionFeed(), name="feed"),
    path("new/", bots.new_bot, name="new"),
    path("new/remote/", bots.new_remote_bot, name="new-remote"),
    path("account/", account.account, name="account"),
    path("account/tokens/", account.create_token, name="create-token"),
    path("account/tokens/<int:token_id>/revoke/", account.revoke_token, name="revoke-token"),
    path("<slug:slug>/", bots.bot_detail, name="detail"),
    path("<slug:slug>/feed.atom", feeds.VersionFeed(), name="feed-of-bot"),
    path("<slug:slug>/follow/", bots.follow, name="follow"),
    path("<slug:slug>/unfollow/", bots.unfollow, name="unfollow"),
    path("<slug:slug>/edit/", bots.edit_bot, name="edit"),
    path("<slug:slug>/withdraw/", bots.withdraw, name="withdraw"),
    path("<slug:slug>/restore/", bots.restore, name="restore"),
    path("<slug:slug>/play-again/", bots.let_play_again, name="play-again"),
    path("<slug:slug>/owners/", co_owners.owners_page, name="owners"),
    path("<slug:slug>/owners/invite/", co_owners.invite, name="invite"),
    path("<slug:slug>/owners/answer/<slug:answer>/", co_owners.answer, name="answer"),
    path("<slug:slug>/owners/offer/<int:user>/", co_owners.offer, name="offer"),
    path("<slug:slug>/owners/remove/<int:user>/", co_owners.remove, name="remove-owner"),
    path("<slug:slug>/upload/", bots.upload_version, name="upload"),
    path("<slug:slug>/versions/<int:number>/", versions.version_detail, name="version"),
    path("<slug:slug>/versions/<int:number>/check/", versions.version_check, name="version-check"),
    path("<slug:slug>/versions/<int:number>/check/game/", versions.check_game, name="check-game"),
    path("<slug:slug>/versions/<int:number>/check.json", versions.check_record, name="check-record"),
    path("<slug:slug>/versions/<int:number>/source.zip", versions.source, name="source"),
    path("<slug:slug>/versions/<int:number>/activate/", versions.activate, name="activate"),
    path("<slug:slug>/versions/<int:number>/deactivate/", versions.deactivate, name="deactivate"),
    path("<slug:slug>/versions/<int:number>/check-again/", versions.try_again, name="try-again"),
]
