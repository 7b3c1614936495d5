/** How a receiver knows what arrives as ours, in Node. The same in words: docs/recipes/verify-a-webhook.md. */
export const verifyExample = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the bytes as they came, before any parsing
function isOurs(headers, body, secret) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const right = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64')
    return given.length === right.length && timingSafeEqual(given, right)
  })
}`
