import { login } from '@masthead/contract/auth/operations'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call, type Result } from '../api/client.ts'
import { carried } from '../api/session.ts'
import { providerWords } from './provider-words.ts'

let running: Promise<Result<{ email: string }>> | null = null

/** Signs in with an access token, once however often it is asked. */
const signIn = (access_token: string) =>
  (running ??= call(login, { body: { access_token } }).finally(() => {
    running = null
    carried.accessToken = null
  }))

/** A token that the guard carried here, or that stands in the address of the sign-in itself. */
const findToken = (params: URLSearchParams) =>
  carried.accessToken ?? params.get('access_token') ?? new URLSearchParams(location.hash.slice(1)).get('access_token')

/**
 * What came back from the identity provider: an access token, which signs in (spec §5), or the code of what went wrong, in words. Either is
 * taken out of the address at once. `given`: it came with a token.
 */
export function useProviderReturn(onDone: () => Promise<void>): { given: boolean; signingIn: boolean; words: string | null } {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const [token] = useState(() => findToken(params))
  const [words, setWords] = useState(() => providerWords(params.get('problem')))
  const [signingIn, setSigningIn] = useState(token !== null)

  const begun = useRef(false)

  useEffect(() => {
    // What the address said when the screen was opened is all there is to it.
    if (begun.current) return
    begun.current = true
    const rest = new URLSearchParams([...params].filter(([name]) => name === 'redirect' || name === 'mode'))
    if (rest.size < params.size || location.hash.includes('access_token='))
      void navigate(`/login${rest.size ? `?${rest}` : ''}`, { replace: true })
    if (token === null) return
    void signIn(token).then(async (result) => {
      if (result.ok) await onDone()
      else setWords(result.failure.detail)
      setSigningIn(false)
    })
  }, [navigate, onDone, params, token])
  return { given: token !== null, signingIn, words }
}
