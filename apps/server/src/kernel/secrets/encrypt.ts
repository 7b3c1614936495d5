import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16

const keyOf = (word: string, salt: Buffer) => Buffer.from(hkdfSync('sha256', word, salt, 'masthead sealed', 32))

/** Encrypts a text with a word that is kept nowhere: base64url of salt, nonce, tag and cipher text. As strong as the word is hard to guess. */
export function encrypt(word: string, text: string): string {
  const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)]
  const lock = createCipheriv(cipher, keyOf(word, salt), nonce)
  const locked = Buffer.concat([lock.update(text, 'utf8'), lock.final()])
  return Buffer.concat([salt, nonce, lock.getAuthTag(), locked]).toString('base64url')
}

/** The text again. Throws when the word is another one or a bit was changed. */
export function decrypt(word: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64url')
  const [nonceAt, tagAt, textAt] = [saltBytes, saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes]
  const open = createDecipheriv(cipher, keyOf(word, bytes.subarray(0, nonceAt)), bytes.subarray(nonceAt, tagAt))
  open.setAuthTag(bytes.subarray(tagAt, textAt))
  return Buffer.concat([open.update(bytes.subarray(textAt)), open.final()]).toString('utf8')
}
