import { openapi } from '@masthead/contract/kernel/openapi'
import { routes } from './routes.ts'

/** The OpenAPI description of every call there is; `openapi.json` at the top of the checkout is this, written down. */
export const describeApi = () =>
  openapi(
    routes.map(({ op }) => op),
    {
      title: 'Masthead API',
      version: '1',
      description: 'Everything that the console does. Sign in for a session cookie; every write takes an Idempotency-Key.',
    }
  )
