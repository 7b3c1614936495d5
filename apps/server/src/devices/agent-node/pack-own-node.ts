import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { tarEnd, tarHead } from '../../kernel/tar.ts'
import type { NodeKind } from './look-into-archive.ts'

/**
 * Packs the Node.js that this server runs on, for devices of the same kind, and answers the archive's name; undefined: there is none of this kind here.
 * `nodesDir`: where npm put it. `into`: the folder of what was packed; one of before goes from there.
 */
export async function packOwnNode(kind: NodeKind, { nodesDir, into }: { nodesDir: string; into: string }): Promise<string | undefined> {
  const from = join(nodesDir, `node-${kind}`)
  const program = join(from, 'bin/node')
  if (!existsSync(program)) return undefined
  const { version } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as { version: string }
  const name = `node-v${version}-${kind}`
  const archive = `${name}.tar.gz`
  if (existsSync(join(into, archive))) return archive
  await mkdir(into, { recursive: true })
  const draft = join(into, `.${randomUUID()}`)
  const { size } = await stat(program)
  try {
    await pipeline(
      async function* () {
        yield tarHead(`${name}/bin/node`, size)
        yield* createReadStream(program)
        yield tarEnd(size)
      },
      createGzip(),
      createWriteStream(draft, { flush: true })
    )
    await rename(draft, join(into, archive))
  } finally {
    await rm(draft, { force: true })
  }
  for (const other of await readdir(into))
    if (other !== archive && other.endsWith(`-${kind}.tar.gz`)) await rm(join(into, other), { force: true })
  return archive
}
