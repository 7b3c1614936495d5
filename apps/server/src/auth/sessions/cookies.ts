import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../kernel/app.ts'
import { fromOtherConsole } from '../../kernel/http/other-consoles.ts'
import { getSigningKey } from '../../kernel/secrets/signing-key.ts'
import { cookieOf, hostPrefix, sessionCookie, stepCookie } from '../../kernel/secrets/presented-secret.ts'

type Outside = { app: App; request: FastifyRequest; reply: FastifyReply }

/** Says that somebody signed in from this browser before. Worth nothing without the password. */
const deviceCookie = 'masthead_device'
export const stepSeconds = 5 * 60

/** Asked by a console of ours on another site: its cookies are sent from there, and the Origin guards them. */
const isElsewhere = ({ app, request }: Omit<Outside, 'reply'>) =>
  request.headers['sec-fetch-site'] === 'cross-site' && fromOtherConsole(app.config, request)

const isSecure = (outside: Omit<Outside, 'reply'>) =>
  isElsewhere(outside) || outside.request.protocol === 'https' || (outside.app.config.publicUrl?.startsWith('https:') ?? false)

type Lasting = { path?: string; sameSite?: 'strict'; expires?: Date; maxAge?: number }

/**
 * Hands the browser a cookie out of reach of scripts and of other sites' posts. Under TLS its name says that it is this host's alone, for which its path
 * must be `/`; the one of the same meaning from a release before goes.
 */
export function setOwnCookie(outside: Outside, name: string, value: string, { path = '/', ...lasting }: Lasting = {}): void {
  const flags = { httpOnly: true, sameSite: 'lax' as const, ...lasting, ...(isElsewhere(outside) && { sameSite: 'none' as const }) }
  const below = `${outside.app.config.basePath}${path === '/' ? '' : path}` || '/'
  if (!isSecure(outside)) return void outside.reply.setCookie(name, value, { ...flags, path: below, secure: false })
  void outside.reply.setCookie(hostPrefix + name, value, { ...flags, path: '/', secure: true })
  if (outside.request.cookies[name] !== undefined)
    void outside.reply.clearCookie(name, { httpOnly: true, sameSite: 'lax', path: below, secure: true })
}

const clearOwnCookie = (outside: Outside, name: string, lasting: Lasting = {}) =>
  setOwnCookie(outside, name, '', { ...lasting, expires: new Date(0) })

/** Hands the session to the browser. */
export function setSessionCookie(outside: Outside, { secret, expires_at }: { secret: string; expires_at: Date }) {
  setOwnCookie(outside, sessionCookie, secret, { expires: expires_at })
}

const stepPath = { path: '/v1/auth' }

/** What a sign-in that needs a second factor goes on with. Short-lived; what it stands for is kept on the server. */
export function setStepCookie(outside: Outside, secret: string) {
  setOwnCookie(outside, stepCookie, secret, { ...stepPath, sameSite: 'strict', maxAge: stepSeconds })
}

export function clearStepCookie(outside: Outside) {
  clearOwnCookie(outside, stepCookie, stepPath)
}

export function clearSessionCookie(outside: Outside) {
  clearOwnCookie(outside, sessionCookie)
}

/** Marks the browser as known for an e-mail, so that somebody else's wrong passwords cannot shut its owner out. */
export async function setDeviceCookie(outside: Outside, email: string) {
  if (await knownDevice(outside, email)) return
  const id = randomUUID()
  const signature = sign(await getSigningKey(outside.app.db, 'device'), email, id)
  setOwnCookie(outside, deviceCookie, `${id}.${signature.toString('base64url')}`, { maxAge: 365 * 86_400 })
}

/** The id of a browser that this e-mail has signed in from, or null. */
export async function knownDevice({ app, request }: Omit<Outside, 'reply'>, email: string): Promise<string | null> {
  const [id, signature] = (cookieOf(request, deviceCookie) ?? '').split('.')
  if (!id || !signature) return null
  const given = Buffer.from(signature, 'base64url')
  const right = sign(await getSigningKey(app.db, 'device'), email, id)
  return given.length === right.length && timingSafeEqual(given, right) ? id : null
}

const sign = (key: Buffer, email: string, id: string) => createHmac('sha256', key).update(`${id} ${email}`).digest()
