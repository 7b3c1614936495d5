import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const flag = { present: 0x01, verified: 0x04, attested: 0x40 }

/** An authenticator for tests: ES256, no attestation, as a browser on the server's own address would answer with it (WebAuthn §6). */
export function newTestPasskey({ rpId = 'localhost', origin = 'http://localhost:80' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const clientOf = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const counterOf = (count: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(count)
    return bytes
  }
  const answerOf = (response: Record<string, unknown>) => {
    const text = id.toString('base64url')
    return JSON.stringify({ id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response })
  }
  return {
    /** What a passkey row holds of it. */
    row: { credential_id: id.toString('base64url'), public_key: coseKey, counter: 0, transports: ['internal'], synced: false },
    /** The answer to a challenge for a new passkey. */
    register(challenge: string, { verified = true } = {}) {
      const flags = flag.present | flag.attested | (verified ? flag.verified : 0)
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey])
      const authData = Buffer.concat([sha256(rpId), Buffer.from([flags]), counterOf(0), attested])
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authData.length]),
        authData,
      ])
      return answerOf({
        clientDataJSON: clientOf('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'made-up'],
      })
    },
    /** The answer to a challenge for an existing one. */
    sign(challenge: string, { verified = true, counter = 0, userHandle = undefined as string | undefined } = {}) {
      const client = clientOf('webauthn.get', challenge)
      const authenticatorData = Buffer.concat([
        sha256(rpId),
        Buffer.from([flag.present | (verified ? flag.verified : 0)]),
        counterOf(counter),
      ])
      return answerOf({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey).toString('base64url'),
        ...(userHandle && { userHandle: Buffer.from(userHandle).toString('base64url') }),
      })
    },
  }
}
export type TestPasskey = ReturnType<typeof newTestPasskey>
