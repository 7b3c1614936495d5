import type { Adapter, AdapterPayload } from 'oidc-provider'

/** What an identity provider of a test remembers, as long as the test runs: every model in one map, by `model:id`. */
export function identityMemory() {
  const kept = new Map<string, AdapterPayload>()
  return (model: string): Adapter => {
    const place = (id: string) => `${model}:${id}`
    const find = async (id: string) => kept.get(place(id))
    const findBy = async (name: 'uid' | 'userCode', value: string) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model}:`) && payload[name] === value)?.[1]
    return {
      upsert: async (id, payload) => void kept.set(place(id), payload),
      find,
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (userCode) => findBy('userCode', userCode),
      // Codes are good once: the provider refuses a consumed one and takes back what came of it.
      consume: async (id) => void kept.set(place(id), { ...(await find(id)), consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void kept.delete(place(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
