import { QueryClient, keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { areaOf, type Input, type Operation, type Reply } from '@masthead/contract/kernel/operation'
import { call, noResponse, notSent, type Failure } from './client.ts'

async function callOrThrow<Op extends Operation>(op: Op, input: Input<Op>, signal?: AbortSignal): Promise<Reply<Op>> {
  const result = await call(op, input, signal && { signal })
  if (result.ok) return result.data
  throw result.failure
}

/** Every query of the console. Answers stay fresh until a live event says otherwise; only failures of the server are tried again. */
export const queries = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails like any other (spec §7), and nothing is sent later that was given up meanwhile.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (count, failure) => count < 2 && (failure as unknown as Failure).status >= 500,
      // A busy server is given time; where nothing answers one soon reads why, and can try again.
      retryDelay: (count, failure) => ((failure as unknown as Failure) === noResponse ? 300 : 1000) * 2 ** count,
    },
  },
})

/** Query options for an operation. The area comes first in the key, so an event of that area refreshes it. */
export const q = <Op extends Operation>(op: Op, input: Input<Op>) =>
  queryOptions<Reply<Op>, Failure>({
    queryKey: [areaOf(op), op.name, input],
    queryFn: ({ signal }) => callOrThrow(op, input, signal),
    placeholderData: keepPreviousData as never,
  })

/** A write as a mutation. When it is done, what is shown of its area is asked for again. */
export function useOperation<Op extends Operation>(op: Op) {
  const mutation = useMutation<Reply<Op>, Failure, Input<Op>>({
    mutationFn: (input) => callOrThrow(op, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: [areaOf(op)] }),
  })
  return mutation.error === notSent ? ({ ...mutation, error: null } as unknown as typeof mutation) : mutation
}
