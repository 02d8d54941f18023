// Draws samples/harbour.png, the picture `npm run demo` enlarges: npm run sample -w stack
// A night harbour with much fine detail (rigging, windows, ripples, lettering), from a fixed seed and with letters
// of its own, so that it comes out the same on every machine.
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const WIDTH = 256;
const HEIGHT = 192;
const WATER = 118;

/** Evenly spread numbers below 1 from a fixed seed (a linear congruential generator). */
function makeRandom(seed) {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const random = makeRandom(20);
const between = (low, high) => low + random() * (high - low);
const n = (value) => value.toFixed(2);
const repeat = (count, draw) => Array.from({ length: count }, (_, index) => draw(index)).join('');
const line = (x1, y1, x2, y2, stroke, width) =>
  `<path d="M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}" stroke="${stroke}" stroke-width="${width}" fill="none"/>`;
const box = (x, y, width, height, fill) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}"/>`;

function drawSky() {
  const stars = repeat(150, () => {
    const y = between(2, 92);
    return `<circle cx="${n(between(0, WIDTH))}" cy="${n(y)}" r="${n(between(0.18, 0.62))}" fill="#fff8e0" opacity="${n(
      between(0.35, 1) * (1 - y / 130),
    )}"/>`;
  });
  const moon = `<circle cx="203" cy="34" r="30" fill="url(#glow)"/><circle cx="203" cy="34" r="13" fill="#fdf3d2"/>
    <circle cx="199" cy="30" r="2.6" fill="#e9dcb3"/><circle cx="207" cy="38" r="3.4" fill="#e9dcb3"/><circle cx="206" cy="28" r="1.4" fill="#e4d5a8"/>`;
  return `${box(0, 0, WIDTH, WATER, 'url(#sky)')}${stars}${moon}
    <path d="M0 104L22 88L40 97L66 74L92 99L118 84L150 103L178 90L206 104L236 86L256 98V120H0Z" fill="#26305c"/>
    <path d="M0 112L30 100L58 110L96 98L140 112L190 102L256 112V120H0Z" fill="#1c2449"/>`;
}

function drawHouses() {
  const colours = ['#b5523b', '#d08c3f', '#7c3f58', '#3f6b7c', '#8a9a5b', '#c26e5a', '#56508c', '#a9743e'];
  let x = 4;
  return repeat(11, (index) => {
    const width = between(12, 17);
    const height = between(20, 38);
    const top = WATER - height;
    const fill = colours[index % colours.length];
    const rows = Math.floor((height - 6) / 6);
    const columns = Math.floor((width - 3) / 4);
    const windows = repeat(rows * columns, (cell) => {
      const left = x + 2.4 + (cell % columns) * 4;
      const above = top + 4 + Math.floor(cell / columns) * 6;
      const lit = random() < 0.62 ? '#ffdf8a' : '#2a2038';
      return (
        box(left, above, 2.2, 3.2, lit) + line(left + 1.1, above, left + 1.1, above + 3.2, '#5a3a2a', 0.25)
      );
    });
    const roof = `<path d="M${n(x - 0.8)} ${n(top)}L${n(x + width / 2)} ${n(top - between(6, 10))}L${n(x + width + 0.8)} ${n(top)}Z" fill="#3a2230"/>`;
    const tiles = repeat(4, (row) =>
      line(x + row, top - row * 1.4 - 0.6, x + width - row, top - row * 1.4 - 0.6, '#6b4150', 0.35),
    );
    const house = box(x, top, width, height, fill) + roof + tiles + windows;
    x += width + between(0.4, 2);
    return house;
  });
}

function drawLighthouse() {
  const bands = repeat(5, (band) => {
    const y = 50 + band * 12;
    const half = (at) => 4.2 + (at - 50) * 0.055;
    return `<path d="M${n(226 - half(y))} ${y}H${n(226 + half(y))}L${n(226 + half(y + 12))} ${y + 12}H${n(226 - half(y + 12))}Z" fill="${
      band % 2 === 0 ? '#f4eee2' : '#c8382f'
    }"/>`;
  });
  return `<path d="M226 44L20 6L14 40Z" fill="url(#beam)"/><path d="M226 44L256 38V52Z" fill="#fff3b8" opacity=".22"/>
    ${bands}${box(221, 39, 10, 11, '#30344e')}${box(223, 41, 6, 7, '#fff6c4')}<path d="M220 39L226 33L232 39Z" fill="#c8382f"/>
    ${repeat(6, (bar) => line(220.5 + bar * 2.2, 46.5, 220.5 + bar * 2.2, 50, '#d9d4c8', 0.35))}
    <path d="M204 ${WATER + 2}Q214 106 226 107T252 ${WATER + 2}Z" fill="#2b2a3c"/>`;
}

function drawWater() {
  const ripples = repeat(330, () => {
    const y = WATER + between(1, HEIGHT - WATER - 1);
    const nearness = (y - WATER) / (HEIGHT - WATER);
    const x = between(-6, WIDTH);
    const length = 2 + nearness * between(4, 15);
    const glint = Math.abs(x + length / 2 - 203) < 16 + nearness * 14 && random() < 0.75;
    const stroke = glint ? '#fdeec0' : random() < 0.5 ? '#5d78b8' : '#131c42';
    return `<path d="M${n(x)} ${n(y)}q${n(length / 2)} ${n(-0.5 - nearness)} ${n(length)} 0" stroke="${stroke}" stroke-width="${n(
      0.3 + nearness * 0.6,
    )}" fill="none" opacity="${n(between(0.35, 0.9))}"/>`;
  });
  const lights = repeat(26, () => {
    const x = between(6, 186);
    return repeat(7, (step) =>
      box(x + between(-1, 1), WATER + 2 + step * 3.4, between(1, 2.6), 0.8, '#ffcf6e55'),
    );
  });
  return box(0, WATER, WIDTH, HEIGHT - WATER, 'url(#sea)') + lights + ripples;
}

/** A sailing boat: `x`, `y` where the mast meets the deck, `size` 1 = 40 px of mast. */
function drawBoat(x, y, size, hull, sail) {
  const at = (dx, dy) => `${n(x + dx * size)} ${n(y + dy * size)}`;
  const rope = (dx1, dy1, dx2, dy2) =>
    line(x + dx1 * size, y + dy1 * size, x + dx2 * size, y + dy2 * size, '#e8dcc0', 0.3);
  const shrouds = repeat(5, (rung) => rope(-7 + rung * 1.2, -rung * 7.4, 7 - rung * 1.2, -rung * 7.4));
  const planks = repeat(3, (plank) =>
    rope(-19 + plank * 1.6, 4.6 + plank * 2, 19 - plank * 1.6, 4.6 + plank * 2),
  );
  return `<path d="M${at(1, -37)}L${at(1, -5)}L${at(17, -5)}Q${at(12, -22)} ${at(1, -37)}Z" fill="${sail}"/>
    <path d="M${at(-1, -33)}L${at(-1, -6)}L${at(-15, -6)}Z" fill="${sail}" opacity=".85"/>
    ${repeat(4, (seam) => rope(1, -30 + seam * 6.4, 6 + seam * 2.9, -30 + seam * 6.4))}
    ${line(x, y + 2 * size, x, y - 40 * size, '#5a3b24', n(1.1 * size))}${rope(0, -39, -21, 1)}${rope(0, -39, 22, 1)}${shrouds}
    <path d="M${at(-22, 1)}H${n(x + 24 * size)}Q${at(18, 12)} ${at(8, 12)}H${n(x - 12 * size)}Q${at(-19, 11)} ${at(-22, 1)}Z" fill="${hull}"/>
    <path d="M${at(-22, 1)}H${n(x + 24 * size)}L${at(23, 3.4)}H${n(x - 21 * size)}Z" fill="#f1e6cd"/>${planks}
    ${repeat(4, (port) => `<circle cx="${n(x + (-11 + port * 7.4) * size)}" cy="${n(y + 6.6 * size)}" r="${n(1.2 * size)}" fill="#ffe08f" stroke="#3b2a1c" stroke-width=".4"/>`)}
    <path d="M${at(0, -40)}L${at(9, -37.6)}L${at(0, -35.4)}Z" fill="#e2443b"/>
    <ellipse cx="${n(x)}" cy="${n(y + 13 * size)}" rx="${n(23 * size)}" ry="${n(2.2 * size)}" fill="#0b1230" opacity=".5"/>`;
}

/** Strokes of the letters on the sign, on a grid 4 wide and 6 high. */
const LETTERS = {
  H: 'M0 0V6M4 0V6M0 3H4',
  A: 'M0 6L2 0L4 6M.8 4H3.2',
  R: 'M0 6V0H2.6Q4 0 4 1.6T2.6 3.2H0M2 3.2L4 6',
  B: 'M0 0V6H2.6Q4 6 4 4.5T2.6 3H0M2.6 3Q3.7 3 3.7 1.5T2.4 0H0',
  O: 'M2 0Q4 0 4 3T2 6T0 3T2 0Z',
  U: 'M0 0V4Q0 6 2 6T4 4V0',
};

function drawQuay() {
  const planks = repeat(33, (plank) => line(plank * 8, 176, plank * 8 - 5, HEIGHT, '#2a1a12', 0.7));
  const grain = repeat(120, () => {
    const x = between(0, WIDTH);
    const y = between(178, HEIGHT);
    return line(x, y, x + between(2, 6), y, random() < 0.5 ? '#7d5537' : '#3a2517', 0.3);
  });
  const letters = [...'HARBOUR'].map(
    (letter, index) =>
      `<path transform="translate(${n(20.5 + index * 6.1)} 161.5)" d="${LETTERS[letter]}" stroke="#fbeecb" stroke-width="1" fill="none"/>`,
  );
  const bollards = repeat(4, (post) => {
    const x = 86 + post * 46;
    return `${box(x, 168, 6, 11, '#20202c')}<ellipse cx="${x + 3}" cy="168" rx="4.4" ry="1.7" fill="#3d3d50"/>
      ${repeat(3, (turn) => line(x - 0.4, 171.5 + turn * 1.5, x + 6.4, 172.3 + turn * 1.5, '#c9a66b', 0.7))}`;
  });
  return `${box(0, 176, WIDTH, 16, '#5b3b26')}${grain}${planks}${box(0, 175, WIDTH, 1.4, '#8a6242')}
    ${box(24, 170, 2.4, 8, '#2c1c12')}${box(56, 170, 2.4, 8, '#2c1c12')}
    ${box(16, 158, 50, 13, '#2f4a5c')}<rect x="17" y="159" width="48" height="11" fill="none" stroke="#d8b66a" stroke-width=".5"/>
    ${letters.join('')}${bollards}`;
}

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#0a1033"/><stop offset=".6" stop-color="#3a3f7d"/><stop offset="1" stop-color="#d9796a"/></linearGradient>
    <linearGradient id="sea" x2="0" y2="1"><stop offset="0" stop-color="#5a4a78"/><stop offset=".35" stop-color="#26356f"/><stop offset="1" stop-color="#0c1438"/></linearGradient>
    <linearGradient id="beam" x1="1" x2="0"><stop offset="0" stop-color="#fff3b8" stop-opacity=".4"/><stop offset="1" stop-color="#fff3b8" stop-opacity="0"/></linearGradient>
    <radialGradient id="glow"><stop offset=".35" stop-color="#fff4cf" stop-opacity=".55"/><stop offset="1" stop-color="#fff4cf" stop-opacity="0"/></radialGradient>
  </defs>
  ${drawSky()}${drawHouses()}${drawLighthouse()}${drawWater()}
  ${drawBoat(62, 140, 0.62, '#7a2f2a', '#f2e3c2')}${drawBoat(178, 146, 0.8, '#2f5d62', '#f7d9a0')}${drawBoat(118, 157, 1, '#46307a', '#fff6e4')}
  ${drawQuay()}
</svg>`;

// Drawn four times as large and brought down: smooth edges, whatever the renderer does.
const large = await sharp(Buffer.from(svg), { density: 72 * 4 })
  .png()
  .toBuffer();
const target = fileURLToPath(new URL('../samples/harbour.png', import.meta.url));
await sharp(large)
  .resize(WIDTH, HEIGHT, { kernel: 'lanczos3' })
  .removeAlpha()
  .png({ compressionLevel: 9 })
  .toFile(target);
