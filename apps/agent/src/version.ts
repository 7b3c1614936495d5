/** Of the agent. npm run agent:version writes this file. */
export const version = '0.331.76706'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '64b8dd912a2588930892c64cd7b0e89882a2e50293306e8562ecc0ba73a44493'
