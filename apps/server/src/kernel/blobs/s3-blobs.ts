import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ListMultipartUploadsCommandOutput, MultipartUpload, S3Client } from '@aws-sdk/client-s3'
import { s3Drafts } from './s3-drafts.ts'
import { BlobsNotRead, BlobsNotWritten, checkKey, Measure, type Blobs, type FoundBlob } from './blobs.ts'
import { s3Link } from './s3-link.ts'
import type { S3Settings } from './s3-settings.ts'

/** So much of a blob is in memory while it is written. */
const partSize = 8 * 1024 * 1024
/** Long enough for who waits before asking, and no longer. */
const linkLasts = 1200 // s
const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
/** Where a list of what was begun goes on. */
type Markers = { KeyMarker?: string; UploadIdMarker?: string }
const isAbsent = (error: unknown) => statusOf(error) === 404

/** The client is large: it is loaded when there is a store to speak to. */
const load = async (settings: S3Settings) => {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new sdk.S3Client({
    ...(settings.endpoint && { endpoint: settings.endpoint }),
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Many stores keep the frames of the client's own checksums as if they were content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
  })
  return { sdk, Upload, client: client as S3Client }
}

/** Blobs as objects of a bucket. One is there once its last part is confirmed; what a cut left behind are parts that no object has. */
export function s3Blobs(settings: S3Settings): Blobs {
  const Bucket = settings.bucket
  const place = `the bucket ${Bucket}${settings.endpoint ? ` at ${settings.endpoint}` : ''}`
  let loaded: ReturnType<typeof load> | undefined
  const store = () => (loaded ??= load(settings))
  const say = (error: unknown) => new BlobsNotWritten(`Nothing can be written to ${place}: ${(error as Error).message}`, { cause: error })

  const nullIfAbsent = (error: unknown) => {
    if (isAbsent(error)) return null
    throw new BlobsNotRead(`Nothing can be read from ${place}: ${(error as Error).message}`, { cause: error })
  }

  const find: Blobs['find'] = async (key) => {
    const { sdk, client } = await store()
    const found = await client.send(new sdk.HeadObjectCommand({ Bucket, Key: checkKey(key) })).catch(nullIfAbsent)
    return found && { key, size: found.ContentLength ?? 0, changed_at: found.LastModified ?? new Date(0) }
  }

  const remove: Blobs['remove'] = async (key) => {
    const { sdk, client } = await store()
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: checkKey(key) })).catch((error: unknown) => {
      if (!isAbsent(error)) throw error
    })
  }

  const put: Blobs['put'] = async (key, bytes, expected) => {
    checkKey(key)
    const { client, Upload } = await store()
    const measure = new Measure(expected)
    // It throws before the last part is sent, so that what differs is never there.
    const Body = Readable.from(measure.of(bytes), { objectMode: false, highWaterMark: 256 * 1024 })
    try {
      await new Upload({ client, params: { Bucket, Key: key, Body }, partSize, queueSize: 1, leavePartsOnError: false }).done()
    } catch (error) {
      // What its source says is not the store's to mend.
      throw measure.failed ?? say(error)
    } finally {
      Body.destroy()
    }
    const there = await find(key)
    if (there?.size === measure.size) return measure.kept!
    await remove(key)
    throw new BlobsNotWritten(`${place} kept ${there?.size ?? 'none'} of ${measure.size} bytes`)
  }

  const read: Blobs['read'] = async (key, range) => {
    const { sdk, client } = await store()
    const Range = range && `bytes=${range.start}-${range.end}`
    const found = await client.send(new sdk.GetObjectCommand({ Bucket, Key: checkKey(key), ...(Range && { Range }) })).catch(nullIfAbsent)
    return found && (found.Body as Readable)
  }

  async function* list(Prefix: string): AsyncIterable<FoundBlob> {
    const { sdk, client } = await store()
    for (let after: string | undefined, more = true; more;) {
      const found = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ...(after && { ContinuationToken: after }) }))
      for (const { Key, Size, LastModified } of found.Contents ?? [])
        if (Key) yield { key: Key, size: Size ?? 0, changed_at: LastModified ?? new Date(0) }
      after = found.NextContinuationToken
      more = found.IsTruncated === true && after !== undefined
    }
  }

  /** A page of what was begun, and is not whole. */
  const begunAfter = async (after: Markers): Promise<Partial<ListMultipartUploadsCommandOutput>> => {
    const { sdk, client } = await store()
    // Not every store lists parts; those that do not have a rule of their own for them (docs/operations.md).
    return client.send(new sdk.ListMultipartUploadsCommand({ Bucket, ...after })).catch((error: unknown) => {
      if ([400, 404, 405, 501].includes(statusOf(error) ?? 0)) return {}
      throw error
    })
  }
  const begun = async () => {
    const uploads: MultipartUpload[] = []
    for (let after: Markers | null = {}; after;) {
      const page: Partial<ListMultipartUploadsCommandOutput> = await begunAfter(after)
      uploads.push(...(page.Uploads ?? []))
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
      after = page.IsTruncated && KeyMarker ? { KeyMarker, ...(UploadIdMarker && { UploadIdMarker }) } : null
    }
    return uploads
  }
  const giveUp = async (uploads: readonly MultipartUpload[]) => {
    const { sdk, client } = await store()
    for (const { Key, UploadId } of uploads) await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  }
  const abort = async (isOne: (key: string) => boolean) => giveUp((await begun()).filter(({ Key }) => Key && isOne(Key)))
  const drafts = s3Drafts({ put, read, list, remove, abort })

  return {
    place,
    put,
    find,
    remove,
    read,
    list,
    link: (key, at) => {
      const endpoint = settings.pullEndpoint
      return endpoint ? s3Link(settings, { endpoint, key: checkKey(key), at, seconds: linkLasts }) : null
    },
    drafts,
    clear: async (before) => {
      const uploads = await begun()
      const left = uploads.filter(({ Initiated }) => Initiated && Initiated < before)
      await giveUp(left)
      const coming = uploads.flatMap(({ Key, Initiated }) => (Key && Initiated && Initiated >= before ? [Key] : []))
      return left.length + (await drafts.clear(before, coming))
    },
    room: async () => null,
    whyNotWritten: async () => {
      const key = `probes/${randomUUID()}`
      try {
        await put(key, Readable.from([Buffer.from('probe')]))
        await remove(key)
        return null
      } catch (error) {
        return (error as Error).message
      }
    },
  }
}
