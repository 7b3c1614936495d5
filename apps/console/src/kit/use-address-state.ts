import { useCallback, useContext, useMemo } from 'react'
import { UNSAFE_DataRouterContext as RouterContext, useNavigate, useSearchParams } from 'react-router'
import { readAddress, writeAddress, type AddressDefaults, type AddressState } from './address.ts'

type Push<Defaults extends AddressDefaults> = boolean | ((before: AddressState<Defaults>) => boolean)

/** State of a screen kept in its address, so that every view can be linked. Define `defaults` at module scope. A change replaces the entry in the history; `push` adds one, or decides by what the entry says. */
export function useAddressState<const Defaults extends AddressDefaults>(defaults: Defaults) {
  const [params] = useSearchParams()
  const { router } = useContext(RouterContext)!
  const navigate = useNavigate()
  const state = useMemo(() => readAddress(params, defaults), [params, defaults])
  const change = useCallback(
    (patch: Partial<AddressState<Defaults>>, { push = false }: { push?: Push<Defaults> } = {}) => {
      // What is rendered may be older than the address: a change must not undo the one before it.
      const { location, navigation } = router.state
      const now = navigation.location ?? location
      // On the way to another screen nothing of this one is changed any more.
      if (now.pathname !== location.pathname) return
      const search = writeAddress(new URLSearchParams(now.search), defaults, patch).toString()
      const adds = typeof push === 'function' ? push(readAddress(new URLSearchParams(location.search), defaults)) : push
      void navigate({ search }, { replace: !adds, preventScrollReset: true })
    },
    [router, navigate, defaults]
  )
  return [state, change] as const
}
