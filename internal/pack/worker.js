// The worker of a packed file: the core, and messages to and from it.
const go = new Go();
let session;
let kept; // settles when the page has kept what it was given last

const keep = (seq, lines) => new Promise((done, failed) => {
  kept = { done, failed };
  postMessage({ keep: { seq, lines } });
});

async function start({ core, study, log, rater }) {
  const packed = Uint8Array.fromBase64?.(core) ?? Uint8Array.from(atob(core), (c) => c.charCodeAt(0));
  let read = 0; // of the core, which takes most of the time
  const count = new TransformStream({ transform(part, out) { postMessage({ opened: (read += part.length) / packed.length }); out.enqueue(part); } });
  const plain = new Response(new Blob([packed]).stream().pipeThrough(count).pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
  const { instance } = await WebAssembly.instantiateStreaming(plain, go.importObject);
  go.run(instance);
  session = await globalThis.preferOpen(study, log, rater, keep);
  return { path: session.path };
}

onmessage = async ({ data }) => {
  if ("kept" in data) return data.kept ? kept.failed(new Error(data.kept)) : kept.done();
  try {
    const out = data.start ? await start(data.start) : await session.serve(data.method, data.url, JSON.stringify(data.headers), data.body);
    postMessage({ id: data.id, out }, out.body ? [out.body.buffer] : []);
  } catch (e) {
    postMessage({ id: data.id, failed: e.message });
  }
};
