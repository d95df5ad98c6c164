// Fairy-Stockfish's WebAssembly build as a UCI program that knows xiangqi/grunfeld: a cannon that always jumps, also where it does not take.
//   node --no-experimental-fetch scripts/fairy-grunfeld.cjs FOLDER        the npm package fairy-stockfish-nnue.wasm lies in FOLDER/node_modules
const path = require("node:path");
const readline = require("node:readline");

const VARIANT = "[xiangqi-grunfeld:xiangqi]\ncannon = -\ncustomPiece1 = c:pR\n";
const FILE = "/variants.ini";

async function main(folder) {
  const start = require(path.resolve(folder, "node_modules/fairy-stockfish-nnue.wasm/stockfish.js"));
  const engine = await start();
  engine.FS.writeFile(FILE, VARIANT);
  engine.postMessage(`setoption name VariantPath value ${FILE}`);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    engine.postMessage(line);
  }
  engine.postMessage("quit");
}

main(process.argv[2]);
