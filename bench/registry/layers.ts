import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'

const chunk = randomBytes(1_000_000)
/** A layer that nobody has: so many chunks of a megabyte, the first one its own. Its digest is counted beforehand, and not while it is sent. */
export function newLayer(chunks: number) {
  const first = Buffer.concat([randomBytes(32), chunk.subarray(32)])
  const hash = createHash('sha256').update(first)
  for (let n = 1; n < chunks; n++) hash.update(chunk)
  return { first, chunks, digest: `sha256:${hash.digest('hex')}` }
}
export type Layer = ReturnType<typeof newLayer>

export type Place = { url: string; authorization?: string; name: string }

/** A request of our own, since `fetch` costs more than what is measured: sends chunks as fast as they are taken, and throws away what comes. */
const send = ({ url, authorization }: Place, path: string, method: string, layer?: Layer) =>
  new Promise<{ status: number; location: string; bytes: number }>((resolve, reject) => {
    const headers = {
      ...(authorization && { authorization }),
      ...(layer && { 'content-length': layer.chunks * chunk.length, 'content-type': 'application/octet-stream' }),
    }
    const outgoing = request(path.startsWith('http') ? path : url + path, { method, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (part: Buffer) => (bytes += part.length))
      answer.on('end', () => resolve({ status: answer.statusCode!, location: answer.headers.location ?? '', bytes }))
      answer.on('error', reject)
    })
    outgoing.on('error', reject)
    if (!layer) return outgoing.end()
    let sent = 0
    const go = () => {
      while (sent < layer.chunks) if (!outgoing.write(sent++ === 0 ? layer.first : chunk)) return void outgoing.once('drain', go)
      outgoing.end()
    }
    go()
  })

/** Pushes a layer in one piece, by POST, PATCH and PUT. Answers how many milliseconds it took; throws with what was answered. */
export async function push(place: Place, layer: Layer): Promise<number> {
  const started = performance.now()
  const begun = await send(place, `/v2/${place.name}/blobs/uploads/`, 'POST')
  const taken = await send(place, begun.location, 'PATCH', layer)
  const ended = await send(place, `${taken.location}${taken.location.includes('?') ? '&' : '?'}digest=${layer.digest}`, 'PUT')
  if (ended.status !== 201) throw new Error(`a push was answered with ${begun.status}, ${taken.status}, ${ended.status}`)
  return performance.now() - started
}

/** The same of a pull. */
export async function pull(place: Place, layer: Layer): Promise<number> {
  const started = performance.now()
  const { status, bytes } = await send(place, `/v2/${place.name}/blobs/${layer.digest}`, 'GET')
  if (status !== 200 || bytes !== layer.chunks * chunk.length) throw new Error(`a pull was answered with ${status} and ${bytes} bytes`)
  return performance.now() - started
}
