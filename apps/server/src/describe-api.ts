import { openapi } from '@masthead/contract/kernel/openapi'
import { routes } from './routes.ts'

const description = `The API that the console itself uses. Whoever is signed in calls it with the session cookie, a program with a key in X-Api-Key that has the call's scope (x-key-scope); staff calls also carry X-Backoffice-Token.
Times are ISO 8601 in UTC, bytes whole numbers, ids prefixed and sortable. Every write takes an Idempotency-Key: the same key and body answer the same,
the same key with another body is 409; who may less by then is refused. A field that a call does not know is 400, in body and query. A failure is application/problem+json; 401 only ever means that there is no valid session and no valid key. To a key every answer says in RateLimit-* how many calls of the minute are left.`

/** The OpenAPI document of every call: `GET /v1/openapi.json`, and `openapi.json` at the root of the sources. `basePath`: of the public address. */
export const describeApi = (basePath = '') =>
  openapi(
    routes.map(({ op }) => op),
    { title: 'Masthead', version: '1', root: `${basePath}/v1`, description: description.replaceAll('\n', ' ') }
  )
