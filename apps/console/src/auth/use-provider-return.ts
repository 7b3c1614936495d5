import { login } from '@masthead/contract/auth/sign-in-operations'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { call } from '../api/client.ts'
import { carried } from '../api/session.ts'
import type { Said } from '../ui/FailureNotice.tsx'
import { providerWords } from './provider-words.ts'

/** The parameters that our own links give to the sign-in. */
const ours = new Set(['redirect', 'mode', 'email'])

/** A token that the guard carried here, or that stands in the address of the sign-in itself. */
const findToken = (params: URLSearchParams) =>
  carried.accessToken ?? params.get('access_token') ?? new URLSearchParams(location.hash.slice(1)).get('access_token')

/** The code of what went wrong is all that the address says: its request had no answer here. */
const saidOf = (code: string | null): Said | null => {
  const detail = providerWords(code)
  return detail === null ? null : { detail }
}

/**
 * What came back from the identity provider: an access token, which signs in (spec §5), or the code of what went wrong, in words. Either is
 * taken out of the address at once. `given`: the screen was opened with a token.
 */
export function useProviderReturn(onDone: () => Promise<void>): { given: boolean; signingIn: boolean; failure: Said | null } {
  const [params] = useSearchParams()
  const { key } = useLocation()
  const navigate = useNavigate()
  const [given] = useState(() => findToken(params) !== null)
  const [outcome, setOutcome] = useState(() => ({ signingIn: given, failure: saidOf(params.get('problem')) }))

  useEffect(() => {
    const [token, problem] = [findToken(params), params.get('problem')]
    carried.accessToken = null
    const rest = new URLSearchParams([...params].filter(([name]) => ours.has(name)))
    if (rest.size < params.size || location.hash.includes('access_token='))
      void navigate(`/login${rest.size ? `?${rest.toString()}` : ''}`, { replace: true })
    const follow = async () => {
      if (problem) setOutcome({ signingIn: false, failure: saidOf(problem) })
      if (token === null) return
      setOutcome({ signingIn: true, failure: null })
      const result = await call(login, { body: { access_token: token } })
      if (result.ok) await onDone()
      setOutcome({ signingIn: false, failure: result.ok ? null : result.failure })
    }
    void follow()
    // Another arrival at the same address is another `key`.
  }, [key, navigate, onDone, params])
  return { given, ...outcome }
}
