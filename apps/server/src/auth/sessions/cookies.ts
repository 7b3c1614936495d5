import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../kernel/app.ts'
import { getSigningKey } from '../../kernel/secrets/signing-key.ts'
import { sessionCookie, stepCookie } from '../../kernel/secrets/presented-secret.ts'

type Outside = { app: App; request: FastifyRequest; reply: FastifyReply }

/** Says that somebody signed in from this browser before. Worth nothing without the password. */
const deviceCookie = 'masthead_device'
export const stepSeconds = 5 * 60

/** Out of reach of scripts and of other sites' posts. */
export const cookieFlags = ({ app, request }: Omit<Outside, 'reply'>) => ({
  path: app.config.basePath || '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: request.protocol === 'https' || (app.config.publicUrl?.startsWith('https:') ?? false),
})

/** Hands the session to the browser: out of reach of scripts and of other sites' posts. */
export function setSessionCookie(outside: Outside, { secret, expires_at }: { secret: string; expires_at: Date }) {
  void outside.reply.setCookie(sessionCookie, secret, { ...cookieFlags(outside), expires: expires_at })
}

/** What a sign-in that needs a second factor goes on with. Short-lived; what it stands for is kept on the server. */
export function setStepCookie(outside: Outside, secret: string) {
  void outside.reply.setCookie(stepCookie, secret, {
    ...cookieFlags(outside),
    path: `${outside.app.config.basePath}/v1/auth`,
    sameSite: 'strict',
    maxAge: stepSeconds,
  })
}

export function clearStepCookie(outside: Outside) {
  void outside.reply.clearCookie(stepCookie, { ...cookieFlags(outside), path: `${outside.app.config.basePath}/v1/auth` })
}

export function clearSessionCookie(outside: Outside) {
  void outside.reply.clearCookie(sessionCookie, cookieFlags(outside))
}

/** Marks the browser as known for an e-mail, so that somebody else's wrong passwords cannot shut its owner out. */
export async function setDeviceCookie(outside: Outside, email: string) {
  if (await knownDevice(outside, email)) return
  const id = randomUUID()
  const signature = sign(await getSigningKey(outside.app.db, 'device'), email, id)
  void outside.reply.setCookie(deviceCookie, `${id}.${signature.toString('base64url')}`, { ...cookieFlags(outside), maxAge: 365 * 86_400 })
}

/** The id of a browser that this e-mail has signed in from, or null. */
export async function knownDevice({ app, request }: Omit<Outside, 'reply'>, email: string): Promise<string | null> {
  const [id, signature] = (request.cookies[deviceCookie] ?? '').split('.')
  if (!id || !signature) return null
  const given = Buffer.from(signature, 'base64url')
  const right = sign(await getSigningKey(app.db, 'device'), email, id)
  return given.length === right.length && timingSafeEqual(given, right) ? id : null
}

const sign = (key: Buffer, email: string, id: string) => createHmac('sha256', key).update(`${id} ${email}`).digest()
