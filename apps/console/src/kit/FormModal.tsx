import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import { Terminal } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { FormProvider, type DefaultValues } from 'react-hook-form'
import type { Failure } from '../api/client.ts'
import { Button, type ButtonColor } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copyAsCurl } from './copy-as-curl.ts'
import { StayQuestion } from './StayQuestion.tsx'
import { useOperationForm, type Body } from './use-operation-form.ts'

type FormModalProps<Op extends Operation> = {
  open: boolean
  onClose: () => void
  title: string
  operation: Op
  /** What the fields start with, by name. */
  values: DefaultValues<Body<Op>>
  /** Makes the call out of the fields; without it the body is the fields. */
  input?: (body: Body<Op>) => Input<Op>
  /** What the button does: "Rename". */
  submit: string
  color?: ButtonColor
  /** It is done; the dialog closes by itself. */
  onDone?: (reply: Reply<Op>) => unknown
  /** A step of several: `onDone` says what comes. */
  stays?: boolean
  size?: 'medium' | 'large'
  /** Why it cannot be sent as it stands: the button says it. */
  refused?: string | null
  /** Words for a failure beyond the fields, in place of the server's own. */
  explain?: (failure: Failure, typed: Body<Op>) => ReactNode
  /** The fields: FormText, FormSelect and the others. */
  children: ReactNode
}

/** A form in a dialog over one operation. Problems of fields stand at them, all others above the buttons; it stays open with what was typed, which Escape, the cross and a press beside it ask about. */
export function FormModal<Op extends Operation>(props: FormModalProps<Op>) {
  return props.open ? <OpenFormModal {...props} /> : null
}

function OpenFormModal<Op extends Operation>({
  onClose,
  title,
  operation,
  values,
  input,
  submit,
  color = 'primary-solid',
  onDone,
  stays = false,
  size = 'medium',
  refused,
  explain,
  children,
}: FormModalProps<Op>) {
  const id = useId()
  const {
    form,
    submit: send,
    failure,
    submitting,
  } = useOperationForm(operation, {
    values,
    ...(input && { input }),
    onDone: async (reply) => {
      if (!stays) onClose()
      await onDone?.(reply)
    },
  })
  const { isDirty } = form.formState
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      {/* Closed before the form where both go: the browser then gives the focus back to what opened that. */}
      <StayQuestion open={leaving} title="Close without saving?" leave="Discard changes" onLeave={onClose} onStay={() => setLeaving(false)}>
        What you entered is lost.
      </StayQuestion>
      <Modal
        open
        onClose={() => (isDirty ? setLeaving(true) : onClose())}
        title={title}
        size={size}
        loading={submitting}
        footer={
          <>
            <Button color="ghost" icon={Terminal} className="mr-auto" disabled={submitting} onClick={() => void copyAsCurl(send)}>
              Copy as curl
            </Button>
            <span className="flex gap-2">
              <Button onClick={onClose} disabled={submitting}>
                Cancel
              </Button>
              <Button type="submit" form={id} color={color} loading={submitting} {...(refused !== undefined && { disabled: refused })}>
                {submit}
              </Button>
            </span>
          </>
        }
      >
        <FormProvider {...form}>
          <form id={id} noValidate className="grid gap-4" onSubmit={(event) => void send(event)}>
            {children}
          </form>
        </FormProvider>
        {failure && <FailureNotice of={failure}>{explain?.(failure, form.getValues())}</FailureNotice>}
      </Modal>
    </>
  )
}
