/** Sounds of cards, made by WebAudio without any file: noise for paper and tones for wood. */

/** Sounds closer than this are one. */
const GAP_MS = 50;

let context;
let noise;
let last = -GAP_MS;

/** A volume that begins at once and dies away. */
function fading(at, seconds, loud) {
  const gain = new GainNode(context, { gain: loud });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

/** Paper: noise around a pitch. */
function rustle(at, pitch, seconds, loud) {
  if (!noise) {
    noise = new AudioBuffer({ length: context.sampleRate / 4, sampleRate: context.sampleRate });
    const samples = noise.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  source.connect(new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.9 })).connect(fading(at, seconds, loud));
  source.start(at, 0, seconds);
}

/** Wood: a tone that falls from one pitch to another. */
function tone(at, from, to, seconds, loud) {
  const source = new OscillatorNode(context, { type: "triangle" });
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + seconds);
  source.connect(fading(at, seconds, loud));
  source.start(at);
  source.stop(at + seconds);
}

const SOUNDS = {
  card: (at) => rustle(at, 2600, 0.06, 0.5),
  load: (at) => {
    rustle(at, 1300, 0.09, 0.6);
    tone(at, 150, 75, 0.16, 0.5);
  },
  bell: (at) => {
    tone(at, 1318, 1310, 0.9, 0.16);
    tone(at + 0.02, 2637, 2620, 0.6, 0.06);
  },
  end: (at) => [523, 659, 784].forEach((pitch, index) => tone(at + index * 0.13, pitch, pitch, 0.5, 0.18)),
};

/**
 * Makes a sound; none before the visitor has done something on the page, as browsers demand.
 * @param {string} kind card, load, bell or end
 */
export function play(kind) {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  const now = performance.now();
  if (now - last < GAP_MS) return;
  last = now;
  SOUNDS[kind](context.currentTime);
}
