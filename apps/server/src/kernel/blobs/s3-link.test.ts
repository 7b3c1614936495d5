import { expect, test } from 'vitest'
import { s3Link } from './s3-link.ts'

// The example of Amazon's page on signatures in the query, with keys that are no secret.
const where = {
  bucket: 'examplebucket',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const asked = { endpoint: 'https://s3.amazonaws.com', key: 'test.txt', at: new Date('2013-05-24T00:00:00.000Z'), seconds: 86_400 }

test('an object has the address that the published example has', () => {
  expect(s3Link({ ...where, forcePathStyle: false }, asked)).toBe(
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
  )
})

test('with the bucket in the path it stands behind the host, and another key, host or time is signed otherwise', () => {
  const link = s3Link({ ...where, forcePathStyle: true }, asked)
  expect(link).toMatch(/^https:\/\/s3\.amazonaws\.com\/examplebucket\/test\.txt\?X-Amz-/)
  const signature = (more: Partial<typeof asked>) =>
    s3Link({ ...where, forcePathStyle: true }, { ...asked, ...more }).split('X-Amz-Signature=')[1]
  const all = [
    {},
    { key: 'other.txt' },
    { endpoint: 'https://s3.example.com' },
    { at: new Date('2013-05-24T00:00:01.000Z') },
    { seconds: 60 },
  ]
  expect(new Set(all.map(signature)).size).toBe(5)
})
