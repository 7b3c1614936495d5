import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, renameSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** No registry: what any server must do that takes bytes, counts their sha256 and writes them to the disk, and no more. Speaks as much of the protocol as the client asks. */
export async function startBareStore(dir: string): Promise<{ url: string; stop: () => void }> {
  mkdirSync(dir, { recursive: true })
  const server = createServer((request, answer) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://bare')
      const id = pathname.split('/').at(-1)!
      if (request.method === 'POST') return answer.writeHead(202, { location: '/v2/bench/app/blobs/uploads/draft' }).end()
      if (request.method === 'PATCH') {
        const hash = createHash('sha256')
        await pipeline(
          request,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream(join(dir, 'draft'), { flush: true })
        )
        renameSync(join(dir, 'draft'), join(dir, `sha256:${hash.digest('hex')}`))
        return answer.writeHead(202, { location: request.url! }).end()
      }
      if (request.method === 'PUT') return answer.writeHead(searchParams.get('digest') ? 201 : 400).end()
      await pipeline(createReadStream(join(dir, id), { highWaterMark: 256 * 1024 }), answer.writeHead(200))
    })().catch(() => request.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, stop: () => server.closeAllConnections() }
}
