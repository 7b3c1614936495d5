type Failed = Error & { code?: string | undefined }

/** What Node.js calls a certificate that is not trusted (node:tls, "X509 certificate error codes"). */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const outOfTime: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

export const isUntrusted = ({ code = '' }: Failed): boolean => untrusted.has(code)

/** Why a connection failed, in words of somebody who can mend it on the device. */
export function whyNoConnection(error: Failed, now = new Date()): string {
  const { message, code = '' } = error
  // Newer versions of Node.js add advice for who starts it.
  if (isUntrusted(error))
    return `The certificate of the server is not trusted (${message.split(';')[0]}). If an authority of your own signed it, run the line of the installation again with the file of its certificate at the end`
  if (outOfTime.has(code))
    return `The certificate of the server is not valid now (${message}). The clock of this device says ${now.toISOString()}`
  // TLS 1.3: something in front of the broker insists on a certificate. The broker itself asks for one, and takes whoever has none.
  if (code.endsWith('ALERT_CERTIFICATE_REQUIRED'))
    return 'The server takes nobody without a certificate, and this device has none: set it up with one (masthead-agent enrol with --certificate FILE --key FILE), or have the server let devices in without. It tries again meanwhile'
  return message || code || 'no connection'
}
