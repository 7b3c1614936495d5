import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { readAddress, writeAddress, type AddressDefaults, type AddressState } from './address.ts'

/** State of a screen kept in its address, so that every view can be linked. Define `defaults` at module scope. A change replaces the entry in the history; `push` adds one. */
export function useAddressState<const Defaults extends AddressDefaults>(defaults: Defaults) {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readAddress(params, defaults), [params, defaults])
  const change = useCallback(
    (patch: Partial<AddressState<Defaults>>, { push = false } = {}) =>
      setParams((now) => writeAddress(now, defaults, patch), { replace: !push, preventScrollReset: true }),
    [setParams, defaults]
  )
  return [state, change] as const
}
