"""Addresses of the websockets."""

from django.urls import path, re_path

from tournaments.consumers import friendly_socket, game_socket, no_socket, tournament_socket

websocket_urlpatterns = [
    path("ws/games/<uuid:game_id>/", game_socket),
    path("ws/play/<uuid:friendly_id>/", friendly_socket),
    path("ws/tournaments/<slug:slug>/", tournament_socket),
    re_path("", no_socket),
]
