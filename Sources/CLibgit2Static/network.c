// In place of the parts of libgit2 that reach servers: slip leaves the network to git itself. As these names are taken,
// the linker does not take the archive's own, nor the libraries for TLS, SSH and Kerberos that they need.
//
// `scripts/static-git` tries whether the library at hand can be linked so.

int git_mbedtls_stream_global_init(void) { return 0; }

int git_transport_ssh_global_init(void) { return 0; }

int git_mbedtls__set_cert_location(const char *file, const char *folder) {
  (void)file;
  (void)folder;
  return -1;
}

int git_mbedtls_stream_new(void **stream, const char *host, const char *port) {
  (void)stream;
  (void)host;
  (void)port;
  return -1;
}

int git_mbedtls_stream_wrap(void **stream, void *inner, const char *host) {
  (void)stream;
  (void)inner;
  (void)host;
  return -1;
}

int git_smart_subtransport_ssh(void **transport, void *owner, void *parameter) {
  (void)transport;
  (void)owner;
  (void)parameter;
  return -1;
}

int git_transport_ssh_with_paths(void **transport, void *owner, void *paths) {
  (void)transport;
  (void)owner;
  (void)paths;
  return -1;
}

int git_http_auth_negotiate(void **context, const void *address) {
  (void)context;
  (void)address;
  return -1;
}
