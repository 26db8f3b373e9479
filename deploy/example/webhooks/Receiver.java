// Webhook receiver in Java (17 or later) without libraries: verifies each delivery and prints its id.

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final int TOLERANCE_SECONDS = 300;
  static final int BODY_BYTES_MAX = 1 << 20;
  static final SecretKeySpec KEY = new SecretKeySpec(
      Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", "")), "HmacSHA256");
  static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  /** Returns true if the product signed body, the raw bytes, within the last five minutes. */
  static boolean isSigned(Headers headers, byte[] body) throws GeneralSecurityException {
    String id = String.valueOf(headers.getFirst("webhook-id"));
    String timestamp = String.valueOf(headers.getFirst("webhook-timestamp"));
    if (!timestamp.matches("\\d{1,18}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(KEY);
    mac.update((id + "." + timestamp + ".").getBytes());
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
    // After a rotation, there are two signatures, separated by a space.
    for (String signature : String.valueOf(headers.getFirst("webhook-signature")).split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(), expected)) return true;
    }
    return false;
  }

  static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
      if (!isSigned(exchange.getRequestHeaders(), body)) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      // Delivery is at least once: store ids with the effect for 14 days.
      String id = exchange.getRequestHeaders().getFirst("webhook-id");
      if (SEEN.add(id)) System.out.println(id);
      // Respond immediately and work later: the product waits 15 seconds.
      exchange.sendResponseHeaders(204, -1);
    } catch (GeneralSecurityException error) {
      throw new IOException(error);
    }
  }

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", Receiver::receive);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.start();
    System.out.println("Listening on http://127.0.0.1:" + port);
  }
}
