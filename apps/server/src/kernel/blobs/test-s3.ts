import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { s3Link } from './s3-link.ts'
import type { S3Settings } from './s3-settings.ts'

type Kept = { bytes: Buffer; at: Date }
type Begun = { key: string; at: Date; parts: Map<number, Buffer> }

/** A store that speaks the calls of S3 that we use, in memory. `refuses`: each write is answered like that of a full disk. */
export async function openTestS3() {
  const objects = new Map<string, Kept>()
  const begun = new Map<string, Begun>()
  const state = { refuses: false, mostAtOnce: 1000 }
  let ids = 0

  /** The address with the right signature, as it is asked for: from the host that was asked, and for the time that it says. */
  function linkOf({ headers: { host } }: IncomingMessage, key: string, asked: URLSearchParams): string | undefined {
    const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(asked.get('X-Amz-Date') ?? '') ?? []
    if (day === undefined || time === undefined) return undefined
    const at = new Date(`${day.replace(/^(....)(..)(..)$/, '$1-$2-$3')}T${time.replace(/^(..)(..)(..)$/, '$1:$2:$3')}Z`)
    const link = s3Link(settings, { endpoint: `http://${host}`, key, at, seconds: Number(asked.get('X-Amz-Expires')) })
    return link.slice(`http://${host}`.length)
  }

  async function answer(request: IncomingMessage, reply: ServerResponse) {
    const { pathname, searchParams: asked } = new URL(request.url!, 'http://store')
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/')
    const key = rest.join('/')
    const send = (status: number, body: string | Buffer = '', headers: Record<string, string> = {}) =>
      void reply.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(request.method === 'HEAD' ? undefined : body)
    const problem = (status: number, code: string) => send(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    if (bucket !== 'blobs') return problem(404, 'NoSuchBucket')
    const signed = asked.get('X-Amz-Signature')
    // Both at once are refused, as by others.
    if (signed && request.headers.authorization) return problem(400, 'InvalidArgument')
    if (signed ? request.url !== linkOf(request, key, asked) : !request.headers.authorization?.includes('Credential=tester/'))
      return problem(403, 'AccessDenied')
    const body = await bodyOf(request)
    const upload = asked.get('uploadId')
    if (state.refuses && (request.method === 'PUT' || request.method === 'POST')) return problem(400, 'EntityTooLarge')

    if (request.method === 'POST' && asked.has('uploads')) {
      const id = `u${++ids}`
      begun.set(id, { key, at: new Date(), parts: new Map() })
      return send(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === 'PUT' && upload) {
      begun.get(upload)!.parts.set(Number(asked.get('partNumber')), body)
      return send(200, '', { etag: `"${upload}-${asked.get('partNumber')}"` })
    }
    if (request.method === 'POST' && upload) {
      const { parts } = begun.get(upload)!
      begun.delete(upload)
      const inOrder = [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)
      objects.set(key, { bytes: Buffer.concat(inOrder), at: new Date() })
      return send(200, `<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>`)
    }
    if (request.method === 'DELETE' && upload) return begun.delete(upload) ? send(204) : problem(404, 'NoSuchUpload')
    if (request.method === 'GET' && asked.has('uploads')) {
      const place = (one: string, id: string) => `${one} ${id.padStart(20, '0')}`
      const after = asked.has('key-marker') ? place(asked.get('key-marker')!, asked.get('upload-id-marker') ?? '') : ''
      const all = [...begun]
        .map(([id, one]) => ({ id, ...one, place: place(one.key, id) }))
        .toSorted((a, b) => (a.place < b.place ? -1 : 1))
      const left = all.filter((one) => one.place > after)
      const page = left.slice(0, state.mostAtOnce)
      const rows = page.map(
        ({ id, ...one }) => `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId><Initiated>${one.at.toISOString()}</Initiated></Upload>`
      )
      const more = left.length > page.length
      const last = more
        ? `<NextKeyMarker>${page.at(-1)!.key}</NextKeyMarker><NextUploadIdMarker>${page.at(-1)!.id}</NextUploadIdMarker>`
        : ''
      return send(200, `<ListMultipartUploadsResult>${rows.join('')}<IsTruncated>${more}</IsTruncated>${last}</ListMultipartUploadsResult>`)
    }
    if (request.method === 'GET' && asked.has('list-type')) {
      const after = asked.get('continuation-token') ?? ''
      const all = [...objects.keys()].filter((one) => one.startsWith(asked.get('prefix') ?? '') && one > after).toSorted()
      const page = all.slice(0, state.mostAtOnce)
      const rows = page.map(
        (one) =>
          `<Contents><Key>${one}</Key><Size>${objects.get(one)!.bytes.length}</Size><LastModified>${objects.get(one)!.at.toISOString()}</LastModified></Contents>`
      )
      const more = all.length > page.length
      return send(
        200,
        `<ListBucketResult>${rows.join('')}<IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}</ListBucketResult>`
      )
    }
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, at: new Date() })
      return send(200, '', { etag: '"e"' })
    }
    const found = objects.get(key)
    if (!found) return problem(404, 'NoSuchKey')
    if (request.method === 'DELETE') {
      objects.delete(key)
      return send(204)
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const bytes = start === undefined ? found.bytes : found.bytes.subarray(Number(start), Number(end) + 1)
    return send(start === undefined ? 200 : 206, bytes, {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'last-modified': found.at.toUTCString(),
    })
  }

  const settings: S3Settings = {
    endpoint: '',
    bucket: 'blobs',
    accessKeyId: 'tester',
    secretAccessKey: 'secret',
    region: 'us-east-1',
    forcePathStyle: true,
  }
  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  settings.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings,
    /** Uploads that were begun and neither ended nor given up. */
    begun,
    state,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
