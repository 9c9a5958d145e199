//! My first bot: it ranks the legal moves by what they do, and plays the best.
//!
//! It looks for fields in the line instead of parsing JSON. That is sound here: ids and moves are plain ASCII without
//! escapes, and what we ask not to be sent (events) cannot be mistaken for them.

use std::io::{self, BufRead, Write};

const OTHERS: [&str; 6] = ["draw", "stop", "turn", "h-d", "wait", "pass"];

/// How good a move looks: the lower, the better.
fn rank(a_move: &str, houses: &[&str]) -> usize {
    let (source, target) = a_move.split_once('-').unwrap_or((a_move, ""));
    let house = |name: &str| name[1..].parse().ok().and_then(|number: usize| houses.get(number - 1)).copied().unwrap_or(".");
    if target == "f" {
        0 // a card to a foundation
    } else if source == "r" {
        1 // a card from your reserve
    } else if target.starts_with('r') || (target.starts_with('d') && target != "d") {
        2 // a card onto an opponent's pile
    } else if !target.starts_with('t') {
        5 + OTHERS.iter().position(|other| *other == a_move).unwrap_or(OTHERS.len())
    } else if !source.starts_with('t') {
        3 // a card from your hand or discard to a house
    } else if house(target).len() >= house(source).len() {
        4 // a card onto a taller house
    } else {
        99 // other moves of houses could go on for ever
    }
}

/// What stands between `start` and `end` in the line.
fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = &line[line.find(start)? + start.len()..];
    Some(&rest[..rest.find(end)?])
}

/// The answer to a line, if it asks for one.
fn answer(line: &str) -> Option<String> {
    let kind = between(line, "\"type\":\"", "\"")?;
    if kind == "hello" {
        return Some("{\"type\":\"ready\",\"events\":false,\"ticks\":true}".to_string());
    }
    let id = between(line, "\"id\":\"", "\"")?;
    let legal = between(line, "\"legal\":[\"", "\"]")?;
    let position = between(line, "\"position\":\"", "\"")?;
    let houses: Vec<&str> = position.split(' ').nth(4)?.split('/').collect();
    let best = legal.split("\",\"").min_by_key(|a_move| rank(a_move, &houses))?;
    Some(match kind {
        "tick" => format!("{{\"id\":\"{id}\",\"action\":\"{best}\"}}"),
        _ => format!("{{\"id\":\"{id}\",\"moves\":[\"{best}\"]}}"),
    })
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.contains("\"type\":\"end\"") {
            break;
        }
        if let Some(text) = answer(&line) {
            writeln!(out, "{text}")?;
            out.flush()?;
        }
    }
    Ok(())
}
