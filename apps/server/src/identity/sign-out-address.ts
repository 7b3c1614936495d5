import * as client from 'openid-client'
import type { App } from '../kernel/app.ts'
import { findProvider } from './provider.ts'

/**
 * Where the browser goes to end its session at the provider too, and from there back to the console; null when the provider has no such
 * place or does not answer: signing out here never waits for it in vain.
 */
export async function signOutAddress(app: App, { origin, id_token }: { origin: string; id_token: string | null }): Promise<string | null> {
  try {
    const { configuration, identity } = await findProvider(app)
    if (!configuration.serverMetadata().end_session_endpoint) return null
    return client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${origin}/`,
      ...(id_token ? { id_token_hint: id_token } : { client_id: identity.clientId }),
    }).href
  } catch (error) {
    app.log.warn({ err: error }, 'the identity provider could not be notified of a sign-out')
    return null
  }
}
