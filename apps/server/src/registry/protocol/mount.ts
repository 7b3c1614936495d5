import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { devicePassKey } from '../../devices/agent/index.ts'
import type { App } from '../../kernel/app.ts'
import { asProblem } from '../../kernel/http/as-problem.ts'
import { noteFailure } from '../../kernel/http/request-log.ts'
import { makeSigningKeyEarly } from '../../kernel/secrets/signing-key.ts'
import { BlobsNotWritten } from '../../kernel/blobs/blobs.ts'
import { writePulls } from '../content/count-pulls.ts'
import { readAddress, type Address } from './address.ts'
import { answerBlob, removeBlob } from './answer-blobs.ts'
import { answerCatalog, answerReferrers, answerTags } from './answer-lists.ts'
import { answerManifest, putManifest, removeManifest } from './answer-manifests.ts'
import { continueUpload, dropUpload, endUpload, openUpload, answerUploadStatus } from './answer-uploads.ts'
import { callerOf, challenge, checkMay, scopeFor } from './caller.ts'
import { giveToken } from './give-token.ts'
import { asRefusal, onTheWire, Refusal } from './refusal.ts'
import { passKeyName } from './scan-pass.ts'
import { tokenKeyName, type Action } from './token.ts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What each part of the protocol may be asked, and what one must be allowed for it. */
const allowed: Record<Address['of'], Partial<Record<string, Action>>> = {
  blob: { GET: 'pull', HEAD: 'pull', DELETE: 'delete' },
  uploads: { POST: 'push' },
  upload: { GET: 'push', PATCH: 'push', PUT: 'push', DELETE: 'push' },
  manifest: { GET: 'pull', HEAD: 'pull', PUT: 'push', DELETE: 'delete' },
  tags: { GET: 'pull', HEAD: 'pull' },
  referrers: { GET: 'pull', HEAD: 'pull' },
}

/**
 * The registry: OCI distribution 1.1 beside the API, with errors of its own. Bodies are read as they come. It asks for API keys and tokens that were given for
 * them, and never for a session: no page of another site can make a browser bring one.
 */
export function mountRegistry(server: FastifyInstance, app: App): void {
  for (const key of [tokenKeyName, passKeyName, devicePassKey]) makeSigningKeyEarly(server, app, key)
  server.addHook('preClose', async () => {
    await writePulls(app).catch(() => {})
  })
  void server.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    own.setErrorHandler<FastifyError>((error, request, reply) => refuse(app, error, request, reply))
    own.addHook('onSend', async (_request, reply) => {
      void reply.header('docker-distribution-api-version', 'registry/2.0')
    })
    own.get('/v2/', async (request, reply) => {
      if (!(await callerOf(app, request)))
        throw new Refusal('UNAUTHORIZED', 'Sign in with an API key', { headers: challenge(app, request) })
      return reply.send({})
    })
    own.get('/v2/token', (request) => giveToken(app, request, new URL(request.url, 'http://registry').searchParams))
    own.post('/v2/token', async (request) => {
      let form = ''
      for await (const chunk of (request.body as AsyncIterable<Uint8Array> | undefined) ?? []) {
        form += Buffer.from(chunk).toString('latin1')
        if (form.length > 10_000) throw new Refusal('UNSUPPORTED', 'The form is too large', { status: 413 })
      }
      return giveToken(app, request, new URLSearchParams(form))
    })
    own.get('/v2/_catalog', async (request, reply) => {
      const caller = await callerOf(app, request)
      const refused = (error?: string) =>
        new Refusal('UNAUTHORIZED', 'Sign in with an API key', { headers: challenge(app, request, 'registry:catalog:*', error) })
      if (!caller) throw refused()
      if (caller.grants && !caller.grants['*']) throw refused('insufficient_scope')
      return answerCatalog({ app, request, reply, caller })
    })
    own.route({
      method: methods,
      url: '/v2/*',
      exposeHeadRoute: false,
      config: { upload: true },
      handler: (request, reply) => answer(app, request, reply),
    })
  })
}

async function answer(app: App, request: FastifyRequest, reply: FastifyReply) {
  const path = (request.params as { '*': string })['*']
  const address = readAddress(path)
  const caller = await callerOf(app, request)
  if (!caller)
    throw new Refusal('UNAUTHORIZED', 'Sign in with an API key', {
      headers: challenge(
        app,
        request,
        address ? scopeFor(request, address.name, allowed[address.of][request.method] ?? 'pull') : undefined
      ),
    })
  if (!address) throw new Refusal('NAME_UNKNOWN', 'There is nothing at this address of the registry')
  const { name } = address
  const action = allowed[address.of][request.method]
  if (!action)
    throw new Refusal('UNSUPPORTED', `This address takes ${Object.keys(allowed[address.of]).join(', ')}`, {
      headers: { allow: Object.keys(allowed[address.of]).join(', ') },
    })
  checkMay(app, request, caller, address, action)
  const outside = { app, request, reply, caller, name }
  switch (address.of) {
    case 'blob':
      return action === 'delete'
        ? removeBlob(app, reply, caller, name, address.digest)
        : answerBlob(app, request, reply, caller, name, address.digest)
    case 'uploads':
      return openUpload(outside)
    case 'upload': {
      const does = { PATCH: continueUpload, PUT: endUpload, DELETE: dropUpload }[request.method] ?? answerUploadStatus
      return does(outside, address.id)
    }
    case 'manifest': {
      const does = { PUT: putManifest, DELETE: removeManifest }[request.method] ?? answerManifest
      return does(outside, address.reference)
    }
    case 'tags':
      return answerTags(outside)
    case 'referrers':
      return answerReferrers(outside, address.digest)
  }
}

/** The one place where a failure becomes an answer of the protocol. */
function refuse(app: App, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal =
    error instanceof Refusal
      ? error
      : error instanceof BlobsNotWritten
        ? new Refusal('UNAVAILABLE', error.message, { cause: error })
        : asRefusal(asProblem(error as FastifyError))
  noteFailure(request, refusal.code.toLowerCase())
  const wentAway = request.raw.destroyed && !request.raw.complete
  if (refusal.status >= 500 && !wentAway) app.log.error({ err: error, request_id: request.id }, 'a request of the registry failed')
  if (refusal.status === 401 && refusal.headers['www-authenticate'] === undefined) void reply.headers(challenge(app, request))
  return reply
    .code(refusal.status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...refusal.headers })
    .type('application/json')
    .send(onTheWire(refusal))
}
