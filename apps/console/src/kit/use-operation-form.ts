import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import { isNothing } from '@masthead/contract/kernel/operation'
import { useEffect, useMemo, useRef, useState, type SyntheticEvent } from 'react'
import { useForm, type DefaultValues, type FieldValues, type Path } from 'react-hook-form'
import type { z } from 'zod/mini'
import { notSent, type Failure } from '../api/client.ts'
import { useOperation } from '../api/query.ts'
import { draftKey, keepDraft, takeDraft } from './drafts.ts'
import { goToFirstMistake } from './first-mistake.ts'
import { following, type Values } from './follow.ts'
import { loadSchema, schemaResolver } from './schema-resolver.ts'

/** The fields of a form: the body of its operation, as typed. */
export type Body<Op extends Operation> = z.input<Op['body']> extends FieldValues ? z.input<Op['body']> : FieldValues

const kept = { keepErrors: true, keepTouched: true, keepIsSubmitted: true, keepSubmitCount: true }

/**
 * A form over an operation: checked by its body schema, sent on submit, wrong fields of the server shown at their fields.
 * `failure` is what went wrong beyond the fields. Nothing typed is lost by a failure, nor by the end of a stay in the backoffice.
 * When `values` change, the fields in which nothing was typed follow them: the form keeps its focus, and needs no `key`.
 */
export function useOperationForm<Op extends Operation>(
  operation: Op,
  {
    values,
    input,
    onDone,
  }: {
    values: DefaultValues<Body<Op>>
    input?: (body: Body<Op>) => Input<Op>
    onDone: (reply: Reply<Op>, body: Body<Op>) => void | Promise<void>
  }
) {
  const { body: schema } = operation
  const resolver = useMemo(() => (isNothing(schema) ? undefined : schemaResolver<Body<Op>>(schema)), [schema])
  const form = useForm<Body<Op>>({ defaultValues: values, shouldFocusError: false, ...(resolver && { resolver }) })
  const mutation = useOperation(operation)
  const [failure, setFailure] = useState<Failure | null>(null)
  const sent = useRef<Values | null>(null)
  const sentFrom = useRef<Element | null>(null)
  const shown = useRef<Values>(values)
  const { isSubmitting, submitCount } = form.formState
  const now = JSON.stringify(values)
  useEffect(() => {
    // By now the words stand at the fields.
    if (isSubmitting || !sentFrom.current) return
    goToFirstMistake(sentFrom.current)
    sentFrom.current = null
  }, [isSubmitting, submitCount])
  useEffect(() => {
    const before = shown.current
    // While it is being sent it waits for what becomes of that.
    if (isSubmitting || now === JSON.stringify(before)) return
    const after = JSON.parse(now) as Values
    shown.current = after
    for (const name of following(before, after, form.getValues(), sent.current)) form.setValue(name as Path<Body<Op>>, after[name] as never)
    sent.current = null
    // What was typed stays typed, and is measured against what is there now.
    form.reset(after as DefaultValues<Body<Op>>, { ...kept, keepValues: true, keepFieldsRef: true })
  }, [form, isSubmitting, now])
  useEffect(() => {
    // What is wrong at one field may be mended at another, or by a button that fills it in: words that are no longer true go with the change.
    const { unsubscribe } = form.watch((_typed, { name: changed }) => {
      // Needed when it is sent; asked for with the first letter, so that what is only looked at does without.
      void loadSchema(schema).catch(() => {})
      const shownAt = Object.keys(form.getValues()).map((name) => [name, form.getFieldState(name as Path<Body<Op>>).error?.type] as const)
      // What only the server can know stands until its own field changes.
      const wrong = shownAt.filter(([name, type]) => type !== undefined && (type !== 'server' || name === changed?.split('.')[0]))
      if (wrong.length > 0) void form.trigger(wrong.map(([name]) => name as Path<Body<Op>>))
    })
    return unsubscribe
  }, [form, schema])
  const draft = draftKey(operation, input?.(values as Body<Op>).params)
  useEffect(() => {
    if (draft === null) return
    for (const [name, typed] of Object.entries(takeDraft(draft) ?? {}))
      form.setValue(name as Path<Body<Op>>, typed as never, { shouldDirty: true })
    return () => keepDraft(draft, shown.current, form.getValues())
  }, [form, draft])
  const send = form.handleSubmit(async (body) => {
    setFailure(null)
    sent.current = structuredClone(form.getValues())
    let reply: Reply<Op>
    try {
      reply = await mutation.mutateAsync(input ? input(body as Body<Op>) : ({ body } as Input<Op>))
    } catch (thrown) {
      // Calls throw failures: anything else is a mistake of ours, which has no words for the reader.
      if (thrown instanceof Error) throw thrown
      const failed = thrown as Failure
      sent.current = null
      if (failed === notSent) return
      // A field the form does not show must still be said.
      const shown = Object.entries(failed.fields ?? {}).filter(([name]) => name in form.getValues())
      for (const [name, message] of shown) form.setError(name as Path<Body<Op>>, { type: 'server', message })
      if (shown.length === 0) setFailure(failed)
      return
    }
    await onDone(reply, body as Body<Op>)
  })
  const submit = (event?: SyntheticEvent) => {
    // Without an event it was asked for by another button of its dialog.
    sentFrom.current = (event?.target ?? document.activeElement?.closest('dialog') ?? null) as Element | null
    return send(event)
  }
  return { form, submit, failure, submitting: isSubmitting }
}
