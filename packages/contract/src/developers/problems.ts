import { problem } from '../kernel/problem.ts'

/** How many keys an account can have. */
export const mostApiKeys = 500
export const tooManyApiKeys = problem({
  code: 'too_many_api_keys',
  status: 409,
  title: `An account has at most ${mostApiKeys} API keys`,
})
export const apiKeyBeyondYou = problem({
  code: 'api_key_beyond_you',
  status: 403,
  title: 'You can grant a key only permissions that you have yourself',
})
export const apiKeyExpired = problem({
  code: 'api_key_expired',
  status: 409,
  title: 'This key has expired: set a later expiry first',
})
export const addressNotAllowed = problem({
  code: 'address_not_allowed',
  status: 403,
  title: 'This API key may not be used from this address',
})

/** How many webhooks an account can have. */
export const mostWebhooks = 50
export const tooManyWebhooks = problem({
  code: 'too_many_webhooks',
  status: 409,
  title: `An account has at most ${mostWebhooks} webhooks`,
})
export const webhookDisabled = problem({
  code: 'webhook_disabled',
  status: 409,
  title: 'This webhook is disabled: enable it first',
})
export const deliveryUnderWay = problem({
  code: 'delivery_under_way',
  status: 409,
  title: 'This delivery is being sent now',
})
export const streamPlaceLost = problem({
  code: 'stream_place_lost',
  status: 409,
  title:
    'This id is older than the backup from which the database was restored: begin again without an id, and take what came between from the lists',
})
