import { request, type IncomingMessage } from 'node:http'

/** The engine refused, or did not answer: `status` 0. */
export class EngineTrouble extends Error {
  readonly status: number
  constructor(status: number, words: string) {
    super(words.slice(0, 500))
    this.status = status
  }
}

type Asked = { method?: string; path: string; body?: unknown; headers?: Record<string, string>; waits?: number; signal?: AbortSignal }

/** One request to the engine by its unix socket; the answer is still to be read. Fails with `EngineTrouble`. */
async function ask(
  socketPath: string,
  { method = 'GET', path, body, headers = {}, waits = 30_000, signal }: Asked
): Promise<IncomingMessage> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const json = sent === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) }
    // An engine takes any host name; agent: false, so that no idle socket keeps memory or the process.
    const asking = request({ socketPath, method, path, headers: { Host: 'engine', ...json, ...headers }, agent: false, signal }, resolve)
    // Zero: for as long as it takes.
    asking.setTimeout(waits, () => asking.destroy(new Error(`The container engine did not answer within ${waits / 1000} s`)))
    asking.on('error', (error) => reject(new EngineTrouble(0, error.message)))
    asking.end(sent)
  })
  const status = answer.statusCode ?? 0
  if (status < 400) return answer
  throw new EngineTrouble(status, wordsOf(await readAll(answer)) || `The container engine answered ${status}`)
}

/** What an error says: `{ message }`, or plain text. */
function wordsOf(text: string): string {
  try {
    const { message, cause } = JSON.parse(text) as { message?: string; cause?: string }
    return message ?? cause ?? text
  } catch {
    return text.trim()
  }
}

const mostBytes = 4_000_000

async function readAll(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      size += part.length
      if (size > mostBytes) throw new Error('The answer of the container engine is too long')
      parts.push(part)
    }
  } catch (error) {
    throw new EngineTrouble(0, (error as Error).message)
  }
  return Buffer.concat(parts).toString()
}

export async function askJson<Answer>(socketPath: string, asked: Asked): Promise<Answer> {
  const text = await readAll(await ask(socketPath, asked))
  try {
    return JSON.parse(text) as Answer
  } catch {
    throw new EngineTrouble(0, 'The container engine answered something other than JSON')
  }
}

/** For what answers nothing worth reading. */
export async function askNothing(socketPath: string, asked: Asked): Promise<void> {
  await readAll(await ask(socketPath, asked))
}

export async function askBytes(socketPath: string, asked: Asked, most: number): Promise<Buffer> {
  const answer = await ask(socketPath, asked)
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > most) break
  }
  return Buffer.concat(parts)
}

/** What comes, piece by piece. */
export async function* askPieces(socketPath: string, asked: Asked): AsyncGenerator<Buffer> {
  yield* (await ask(socketPath, asked)) as AsyncIterable<Buffer>
}

/** JSON objects as they come, one after the other. */
export async function* askStream(socketPath: string, asked: Asked): AsyncGenerator<Record<string, unknown>> {
  const answer = await ask(socketPath, asked)
  let rest = ''
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      const lines = (rest + part.toString()).split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Record<string, unknown>
    }
    if (rest.trim() !== '') yield JSON.parse(rest) as Record<string, unknown>
  } catch (error) {
    throw error instanceof EngineTrouble ? error : new EngineTrouble(0, (error as Error).message)
  }
}
