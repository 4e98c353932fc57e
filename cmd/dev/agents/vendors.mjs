// Requests and streams of four SDKs through refscopectl tap, each beside the same one sent directly: what the program
// gets must not differ. See tap.mjs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import http from 'node:http';
import path from 'node:path';

/** A server on a loopback port. */
export async function listen(handler, options = {}) {
  const server = http.createServer(options, handler);
  server.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  return {
    base: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    server,
  };
}

const sse = (name, data) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

/** The answers of a vendor: whole, and as the pieces of a stream. */
function answers(url, text) {
  const cut = [text.slice(0, text.length >> 2), text.slice(text.length >> 2)];
  if (url.includes('/messages')) {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage: { input_tokens: 1, output_tokens: 0 } };
    return {
      whole: { ...message, stop_reason: 'end_turn', content: [{ type: 'text', text }] },
      stream: [
        sse('message_start', { type: 'message_start', message }),
        sse('content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        ...cut.map((t) => sse('content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: t } })),
        sse('content_block_stop', { type: 'content_block_stop', index: 0 }),
        sse('message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
        sse('message_stop', { type: 'message_stop' }),
      ],
    };
  }
  if (url.includes('enerateContent')) {
    const one = (t, reason) => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: t }] }, ...(reason ? { finishReason: reason } : {}) }],
    });
    return { whole: one(text, 'STOP'), stream: [sse('', one(cut[0])), sse('', one(cut[1], 'STOP'))] };
  }
  const chunk = (t, reason) => ({
    id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: t }, finish_reason: reason ?? null }],
  });
  return {
    whole: {
      id: 'c', object: 'chat.completion', created: 1, model: 'm',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
    stream: [sse('', chunk(cut[0])), sse('', chunk(cut[1], 'stop')), 'data: [DONE]\n\n'],
  };
}

// How the vendor answers: the request says it in its text, since the SDKs differ in what headers they let through.
const script = /KIND ([a-z ]+?)( STREAM)? SIZE (\d+) NUMBER (\d+);/;
const kinds = process.env.KINDS?.split(',') ?? ['plain', 'early', 'chunked', 'refuses', 'fails', 'closes', 'breaks off', 'hangs up', 'slow'];

/**
 * The scripted vendor. It closes connections that are idle for a moment. idle are the numbers of requests that it cut off
 * as idle while they were still coming: with $EARLY=ends it ends an early answer at once, as it did before, and Node.js
 * counts the rest of the request for idleness.
 */
export async function vendor() {
  const idle = new Set();
  const one = await listen((q, r) => {
    let asked = '';
    q.socket.number = () => (q.complete ? undefined : asked.match(script)?.[4]);
    let begun = false;
    const answer = () => {
      if (begun) return;
      const m = asked.match(script);
      if (!m) return;
      begun = true;
      const [, kind, stream, size] = m;
      const { whole, stream: pieces } = answers(q.url, `é${'answer '.repeat(Number(size) / 7)}`);
      if (kind === 'hangs up') return q.socket.destroy();
      if (kind === 'refuses' || kind === 'fails') {
        r.writeHead(kind === 'fails' ? 500 : 400, { 'content-type': 'application/json' });
        return r.end(JSON.stringify({ error: { message: `no, ${size}`, type: 'x', code: 400, status: 'X' } }));
      }
      const head = { 'content-type': stream ? 'text/event-stream' : 'application/json' };
      if (kind === 'closes') head.connection = 'close';
      const body = stream ? pieces : [JSON.stringify(whole)];
      const all = Buffer.from(body.join(''));
      if (kind === 'breaks off') {
        r.writeHead(200, stream ? head : { ...head, 'content-length': all.length });
        r.write(all.subarray(0, all.length >> 1), () => q.socket.destroy());
        return undefined;
      }
      if (kind === 'chunked' || kind === 'slow') {
        r.writeHead(200, head);
        const parts = [];
        for (let at = 0; at < all.length; at += 9000) parts.push(all.subarray(at, at + 9000));
        const next = () => {
          const part = parts.shift();
          if (!part) return r.end();
          r.write(part);
          return kind === 'slow' ? setTimeout(next, 3) : setImmediate(next);
        };
        return next();
      }
      r.writeHead(200, stream ? head : { ...head, 'content-length': all.length });
      // A server that has ended its answer takes the rest of a request for idleness, and may reset the connection.
      if (kind === 'early' && !q.complete && process.env.EARLY !== 'ends') {
        r.write(all);
        return q.once('end', () => r.end());
      }
      return r.end(all);
    };
    q.on('data', (d) => {
      if (asked.length < 1 << 22) asked += d;
      if (asked.match(script)?.[1] === 'early') answer(); // the rest of the request is still on its way
    });
    q.on('end', answer);
    q.on('error', () => {});
    r.on('error', () => {});
  });
  one.server.keepAliveTimeout = 20;
  one.server.on('timeout', (socket) => {
    const number = socket.number?.();
    if (number) idle.add(number);
    socket.destroy();
  });
  return { ...one, idle };
}

/** What a program does with four SDKs: each returns the text that it got, or how the SDK calls what went wrong. */
async function clients(load, bases) {
  const fromModule = (m, name) => m.default?.[name] ?? m[name] ?? m.default;
  const OpenAI = fromModule(await load('openai'), 'OpenAI');
  const Anthropic = fromModule(await load('@anthropic-ai/sdk'), 'Anthropic');
  const { GoogleGenAI } = await load('@google/genai');
  const { generateText, streamText } = await load('ai');
  const { createOpenAI } = await load('@ai-sdk/openai');
  const key = 'sk-none';
  const openai = new OpenAI({ apiKey: key, baseURL: bases.openai, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey: key, baseURL: bases.anthropic, maxRetries: 0 });
  const gemini = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: bases.gemini, retryOptions: { attempts: 1 } } });
  const vercel = createOpenAI({ apiKey: key, baseURL: bases.openai }).chat('m');
  const collect = async (stream, text) => {
    let out = '';
    try {
      for await (const piece of stream) out += text(piece) ?? '';
    } catch (e) {
      throw Object.assign(e, { got: out });
    }
    return out;
  };
  return {
    openai: async (content, stream) => {
      const asked = { model: 'm', messages: [{ role: 'user', content }] };
      if (stream) return collect(await openai.chat.completions.create({ ...asked, stream }), (c) => c.choices[0]?.delta.content);
      return (await openai.chat.completions.create(asked)).choices[0].message.content;
    },
    anthropic: async (content, stream) => {
      const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] };
      if (stream) return collect(await anthropic.messages.create({ ...asked, stream }), (c) => c.delta?.text);
      return (await anthropic.messages.create(asked)).content[0].text;
    },
    gemini: async (contents, stream) => {
      const asked = { model: 'm', contents };
      if (stream) return collect(await gemini.models.generateContentStream(asked), (c) => c.text);
      return (await gemini.models.generateContent(asked)).text;
    },
    vercel: async (prompt, stream) => {
      if (!stream) return (await generateText({ model: vercel, prompt, maxRetries: 0 })).text;
      let failed;
      const { textStream } = streamText({ model: vercel, prompt, maxRetries: 0, onError: ({ error }) => (failed = error) });
      const out = await collect(textStream, (t) => t);
      if (failed) throw Object.assign(failed, { got: out });
      return out;
    },
  };
}

/** What lies below an error: its causes, for who looks for them. */
const causes = (e) => (e ? [`${e.code ?? e.name}: ${String(e.message).slice(0, 100)}`, ...causes(e.cause)] : []);

/** What a program sees of one request; told is given what lies below an error. */
async function seen(ask, content, stream, told) {
  try {
    const text = await ask(content, stream);
    return `${text.length} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  } catch (e) {
    told(causes(e).join(' < '));
    const own = /refscope tap: /.test(e.message); // who tells that there is no answer, in the vendor's shape
    const status = own ? '' : (e.status ?? e.statusCode ?? '');
    // How much of a stream that breaks off is read before it does is chance; that it does is none.
    return `failed ${status}${status ? `: ${String(e.message).slice(0, 200)}` : ''}`;
  }
}

export async function compare({ n, load, ctl, folder, random }) {
  const far = await vendor();
  const up = far.base.replace(/\/$/, '');
  const session = path.join(folder, 'v');
  const tap = spawn(
    ctl,
    ['tap', '-o', session, ...['openai', 'anthropic', 'gemini'].flatMap((v) => ['--upstream', `${v}=${up}`])],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let out = '';
  tap.stdout.on('data', (d) => (out = out.includes('\n') ? out : out + d));
  while (!out.includes('\n')) await new Promise((done) => tap.stdout.once('data', done));
  const bases = JSON.parse(out.split('\n')[0]).baseUrls;
  const direct = await clients(load, { openai: `${up}/v1`, anthropic: up, gemini: up });
  const through = process.env.CONTROL ? await clients(load, { openai: `${up}/v1`, anthropic: up, gemini: up }) : await clients(load, bases);
  const names = Object.keys(direct);
  const sizes = [0, 300, 9_000, 70_000, 260_000, 600_000];
  const figures = { asked: 0, streams: 0, differ: 0, idle: 0, failed: 0, why: {}, kinds: {} };
  let next = 0;
  const end = performance.now() + 1000 * Number(process.env.SECONDS ?? 1e6); // a busy machine asks fewer
  const work = async () => {
    while (next < n && performance.now() < end) {
      const i = next++;
      const name = names[i % names.length];
      const kind = kinds[Math.floor(i / names.length) % kinds.length];
      const stream = random() < 0.5;
      const body = Math.floor(random() * (1 + sizes[Math.floor(random() * sizes.length)]));
      const answer = Math.floor(random() * (1 + sizes[Math.floor(random() * 5)]));
      const content = `KIND ${kind}${stream ? ' STREAM' : ''} SIZE ${answer} NUMBER ${i}; ${'é '.repeat(body / 3)}`;
      const below = {};
      const [want, got] = await Promise.all([
        seen(direct[name], content, stream, (e) => (below.direct = e)),
        seen(through[name], content, stream, (e) => (below.tap = e)),
      ]);
      figures.asked++;
      figures.streams += stream ? 1 : 0;
      figures.failed += want.startsWith('failed') ? 1 : 0;
      figures.kinds[kind] = (figures.kinds[kind] ?? 0) + 1;
      if (want !== got && far.idle.has(`${i}`)) figures.idle++;
      else if (want !== got) {
        figures.differ++;
        const where = `${name}${stream ? ' stream' : ''}, ${kind}`;
        (figures.why[where] ??= []).push(`request ${i}: direct ${want}, through the tap ${got}; ${JSON.stringify(below)}`);
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  tap.kill('SIGINT');
  await new Promise((done) => tap.once('exit', done));
  far.close();
  return figures;
}
