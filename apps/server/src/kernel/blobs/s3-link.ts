import { createHash, createHmac } from 'node:crypto'
import type { S3Settings } from './s3-settings.ts'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

type Where = Pick<S3Settings, 'bucket' | 'accessKeyId' | 'secretAccessKey' | 'region' | 'forcePathStyle'>

/** The address of an object at an endpoint, by which whoever has it reads the object for so many seconds (AWS Signature Version 4, in the query). */
export function s3Link(where: Where, { endpoint, key, at, seconds }: { endpoint: string; key: string; at: Date; seconds: number }): string {
  const { bucket, accessKeyId, secretAccessKey, region, forcePathStyle } = where
  const url = new URL(endpoint)
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`
  // Keys are of letters that stand for themselves in an address.
  url.pathname = forcePathStyle ? `/${bucket}/${key}` : `/${key}`
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  // In order of their names.
  const query = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const asked = ['GET', url.pathname, query, `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(asked).digest('hex')].join('\n')
  const signing = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, time.slice(0, 8)))
  return `${url.origin}${url.pathname}?${query}&X-Amz-Signature=${hmac(signing, text).toString('hex')}`
}
