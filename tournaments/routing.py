"""Addresses of the websockets."""

from django.urls import path

from tournaments.consumers import FriendlyConsumer, GameConsumer, TournamentConsumer

websocket_urlpatterns = [
    path("ws/games/<uuid:game_id>/", GameConsumer.as_asgi()),
    path("ws/play/<uuid:friendly_id>/", FriendlyConsumer.as_asgi()),
    path("ws/tournaments/<slug:slug>/", TournamentConsumer.as_asgi()),
]
