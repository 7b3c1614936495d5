/** Of the agent. npm run agent:version writes this file. */
export const version = '0.331.8276'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = 'c8bbf8c0779476e79ada2ede0c981955642a5fc2ad2d250cdd03a24718f889ac'
