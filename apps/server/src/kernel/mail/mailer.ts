import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'

/** A mail as it leaves; `id` makes its Message-ID, so that a server that gets it twice knows it again. */
export type Letter = { id: string; to: string; subject: string; text: string }
/** Hands a mail to the mail server. Throws MailRefused where another try is useless, anything else where it is not. */
export type Mailer = {
  send: (letter: Letter) => Promise<void>
  /** Signs in at the mail server and sends nothing. Throws what it says. */
  prove: () => Promise<void>
  close: () => void
}

/** The mail server will never take this mail (an SMTP answer of 5xx to the recipient or the text). */
export class MailRefused extends Error {
  readonly name = 'MailRefused'
}

/** The mailer of SMTP_URL; null without one: mail then stays in the outbox. */
export function openMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | null {
  if (!smtpUrl) return null
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 2, ...limits })
  const domain = /@([^\s>]+)/.exec(mailFrom)?.[1] ?? 'localhost'
  return {
    send: async ({ id, to, subject, text }) => {
      try {
        await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, subject, text, messageId: `<${id}@${domain}>` })
      } catch (error) {
        const { responseCode, command, message } = error as { responseCode?: number; command?: string; message: string }
        // A refusal of the sender or the sign-in is the operator's to mend, and then the mail goes out.
        const final = responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
        throw final ? new MailRefused(message, { cause: error }) : error
      }
    },
    prove: async () => void (await transport.verify()),
    close: () => transport.close(),
  }
}
